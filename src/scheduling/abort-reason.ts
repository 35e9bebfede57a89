import { ServiceError } from '../contracts/errors.ts';

/** Why a request was given up, of a signal that has aborted: its own reason where that says it, else `request_cancelled`. */
export function abortReason({ reason }: AbortSignal): ServiceError {
  if (reason instanceof ServiceError) return reason;
  return new ServiceError('request_cancelled', 'The request was cancelled', { cause: reason });
}
