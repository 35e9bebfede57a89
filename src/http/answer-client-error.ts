import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../contracts/errors.ts';
import { errorBody } from './error-body.ts';

interface ClientError {
  readonly status: number;
  readonly message: string;
}

/** Bytes that never became a request, by the `code` of Node's HTTP parser. */
const CLIENT_ERRORS: ReadonlyMap<unknown, ClientError> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, message: 'Request headers: expected at most 16 KiB in all, got more' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, message: 'The request did not arrive in time' }],
]);
const MALFORMED: ClientError = {
  status: 400,
  message: 'Expected an HTTP/1.1 request, got bytes that do not parse as one',
};

/** Answers on the bare socket, in the same envelope as everything else, and closes it: its parser has lost its place. */
export function answerClientError(
  error: Error & { readonly code?: unknown },
  socket: Socket,
  newId: () => string,
): void {
  // The reply under way on this socket, if any: once its head is out, bytes written here would be read as part of it.
  const reply: unknown = Reflect.get(socket, '_httpMessage');
  const replying = reply instanceof ServerResponse && reply.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || replying) {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS.get(error.code) ?? MALFORMED;
  const body = JSON.stringify(errorBody(new ServiceError('invalid_request', message)));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newId()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
