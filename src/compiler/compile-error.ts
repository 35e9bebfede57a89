import { ServiceError } from '../contracts/errors.ts';

/** What compiling may throw: a `ServiceError` as it is, and `compile_failed` with what failed for anything else. */
export function asCompileError(error: unknown, failure: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ServiceError('compile_failed', `${failure}: ${reason}`, { cause: error });
}
