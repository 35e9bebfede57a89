import { pino } from 'pino';
import type { LogFields, Logger, LogLevel } from '../contracts/logger.ts';
import { formatLogLine } from './format-log-line.ts';

export interface LogDestination {
  write(text: string): unknown;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  listeners?(event: 'error'): readonly unknown[];
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Standard output when left out: info lines and errors in one stream, in their order. */
  readonly destination?: LogDestination;
}

const PINO_LEVELS = {
  critical: 'fatal',
  error: 'error',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
} as const satisfies Record<LogLevel, string>;

/** What a line begins with, by pino's own level name. */
const LABELS: Readonly<Record<string, string>> = { error: 'ERROR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

/** What pino hands to its destination, as JSON. */
interface LogRecord {
  readonly level: string;
  readonly fields?: LogFields;
  readonly msg: string;
}

/**
 * A logger that writes plain text, one line for each message, at once: no worker, no buffer, so that the last words of a
 * process are not lost. pino-pretty is not used because it passes lines through an asynchronous stream and knows no
 * `WARNING`.
 */
export function createLogger({ level, destination = process.stdout }: LoggerOptions): Logger {
  surviveBrokenPipe(destination);
  const logger = pino(
    {
      level: PINO_LEVELS[level],
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: LABELS[label] ?? label.toUpperCase() }) },
    },
    {
      write(json) {
        const record = JSON.parse(json) as LogRecord;
        destination.write(formatLogLine(record.level, record.msg, record.fields));
      },
    },
  );
  return {
    error: (message, fields) => logger.error({ fields }, message),
    warning: (message, fields) => logger.warn({ fields }, message),
    info: (message, fields) => logger.info({ fields }, message),
    debug: (message, fields) => logger.debug({ fields }, message),
  };
}

/** When whoever reads the log goes away, the lines are lost and the server goes on: an unheard `error` would end it. */
function surviveBrokenPipe(destination: LogDestination): void {
  if (destination.listeners?.('error').includes(ignoreError) === true) return;
  destination.on?.('error', ignoreError);
}

function ignoreError(): void {}
