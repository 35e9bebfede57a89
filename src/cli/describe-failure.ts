import { ServiceError } from '../contracts/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';

export interface Failure {
  /** For standard error, in one line. */
  readonly line: string;
  readonly exitCode: number;
}

/** What a command that could not do its work says and exits with. Anything but a `ServiceError` is a fault of ours. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ServiceError) return { line: errorLine(error.message), exitCode: EXIT_CODES[error.code] };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { line: errorLine(`internal error: ${message}`), exitCode: EXIT_CODES.internal_error };
}

export function errorLine(message: string): string {
  return `ERROR: ${oneLine(message)}\n`;
}

export function warningLine(message: string): string {
  return `WARNING: ${oneLine(message)}\n`;
}

/** A message that quotes a file name or an argument may hold line breaks. */
function oneLine(message: string): string {
  return message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
