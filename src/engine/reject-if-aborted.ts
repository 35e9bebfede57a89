import { ServiceError } from '../contracts/errors.ts';

/** Throws `request_cancelled` when the client went away meanwhile. */
export function rejectIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ServiceError('request_cancelled', 'The client closed the connection.');
}
