import type { ServerResponse } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';

/**
 * Aborts with `request_cancelled` when the connection closes before the reply is complete. The response tells, not the
 * request: a request's `close` only says that its body has been read.
 */
export function clientGoneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(
      new ServiceError('request_cancelled', 'The client closed the connection before the reply was ready'),
    );
  if (response.destroyed) abort();
  else response.once('close', () => response.writableEnded || abort());
  return controller.signal;
}
