import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';

export interface RequestEnds {
  /** How long the work may take. */
  readonly limitMs: number | undefined;
  /** Aborts when the server does not wait any longer. */
  readonly abandoned: AbortSignal;
}

/**
 * Aborts with `request_cancelled` when the connection closes before the reply is complete, with `deadline_exceeded` when the
 * time limit is over, and with the reason of `abandoned`. The response tells, not the request: a request's `close` only says that its body has been read.
 */
export function requestContext(response: ServerResponse, { limitMs, abandoned }: RequestEnds): RequestContext {
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = () =>
    controller.abort(
      new ServiceError('request_cancelled', 'The client closed the connection before the reply was ready'),
    );
  if (response.destroyed) cancel();
  else response.once('close', () => response.writableEnded || cancel());
  const abandon = () => controller.abort(abandoned.reason);
  if (abandoned.aborted) abandon();
  abandoned.addEventListener('abort', abandon, { once: true });
  response.once('close', () => abandoned.removeEventListener('abort', abandon));
  if (limitMs === undefined) return { signal };

  const expire = () =>
    controller.abort(
      new ServiceError('deadline_exceeded', `The request was not answered within its ${limitMs / 1000} s`),
    );
  const timer = setTimeout(expire, limitMs);
  response.once('close', () => clearTimeout(timer));
  return { signal, deadlineMs: performance.now() + limitMs };
}
