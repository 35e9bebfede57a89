import { ServiceError } from '../../contracts/errors.ts';

/** What is no `ServiceError` is a fault of ours. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ServiceError('internal_error', `Unexpected error: ${message}`, { cause: error });
}
