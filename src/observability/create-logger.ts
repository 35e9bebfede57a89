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
  /** Plain text when left out. */
  readonly format?: 'text' | 'json';
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

/** What a line begins with, or has as its level. */
const LABELS: Readonly<Record<string, string>> = { error: 'ERROR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

/** What pino hands to its destination, as JSON. */
interface LogRecord {
  readonly level: string;
  readonly fields?: LogFields;
  readonly msg: string;
}

/**
 * A logger that writes one line for each message, at once: no worker, no buffer, so that the last words of a process are not
 * lost. pino-pretty is not used because it passes lines through an asynchronous stream and knows no `WARNING`.
 */
export function createLogger({ level, format = 'text', destination = process.stdout }: LoggerOptions): Logger {
  surviveBrokenPipe(destination);
  const formatters = { level: (label: string) => ({ level: LABELS[label] ?? label.toUpperCase() }) };
  const common = { level: PINO_LEVELS[level], base: null, formatters };
  const logger =
    format === 'json'
      ? pino({ ...common, messageKey: 'message', timestamp: pino.stdTimeFunctions.isoTime }, destination)
      : pino({ ...common, timestamp: false }, { write: (json) => destination.write(textLine(json)) });
  const fieldsOf = (fields: LogFields = {}) => (format === 'json' ? fields : { fields });
  return {
    error: (message, fields) => logger.error(fieldsOf(fields), message),
    warning: (message, fields) => logger.warn(fieldsOf(fields), message),
    info: (message, fields) => logger.info(fieldsOf(fields), message),
    debug: (message, fields) => logger.debug(fieldsOf(fields), message),
  };
}

function textLine(json: string): string {
  const record = JSON.parse(json) as LogRecord;
  return formatLogLine(record.level, record.msg, record.fields);
}

/** When whoever reads the log goes away, the lines are lost and the server goes on: an unheard `error` would end it. */
function surviveBrokenPipe(destination: LogDestination): void {
  if (destination.listeners?.('error').includes(ignoreError) === true) return;
  destination.on?.('error', ignoreError);
}

function ignoreError(): void {}
