import type { LogLevel } from '../../contracts/logger.ts';
import type { SettingEntry } from '../setting-entry.ts';

/** So that each choice keeps the level's own type. */
const LOG_LEVELS = {
  critical: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
} as const satisfies Record<LogLevel, LogLevel>;

/** What is logged. */
export const LOGGING_SETTINGS = {
  logLevel: {
    option: 'log-level',
    scope: 'server',
    group: 'Logging',
    kind: 'choice',
    default: 'info',
    choices: LOG_LEVELS,
    description: 'The least severe messages to log',
  },
  logFormat: {
    option: 'log-format',
    scope: 'server',
    group: 'Logging',
    kind: 'choice',
    default: 'text',
    choices: { text: 'text', json: 'json' },
    description: 'Lines of plain text, or a JSON object in each line',
  },
} as const satisfies Record<string, SettingEntry>;
