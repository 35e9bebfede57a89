import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';

/** What compiling may throw: a `ServiceError` as it is, and `compile_failed` for anything else. */
export function asCompileError(error: unknown, folder: ModelFolder): ServiceError {
  if (error instanceof ServiceError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ServiceError('compile_failed', `model '${folder.id}' could not be compiled: ${reason}`, { cause: error });
}
