import { type ErrorCode, ServiceError } from '../contracts/errors.ts';

/** What Fastify and Node throw on a client's behalf, by their `code`; anything else is our own fault. */
const CLIENT_FAULTS = new Map<unknown, { readonly code: ErrorCode; readonly message: string }>(
  Object.entries({
    FST_ERR_CTP_INVALID_MEDIA_TYPE: {
      code: 'unsupported_media_type',
      message: 'Content-Type: expected application/json, got a value that is not a media type',
    },
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
      code: 'invalid_request',
      message: 'Content-Length: the request body has another length',
    },
    FST_ERR_BAD_URL: { code: 'invalid_request', message: 'URL: expected a valid percent-encoded path' },
    FST_ERR_MAX_PARAM_LENGTH: { code: 'invalid_request', message: 'URL: a part of the path is too long' },
    FST_ERR_NOT_FOUND: { code: 'route_not_found', message: 'There is no such route' },
    ECONNRESET: {
      code: 'request_cancelled',
      message: 'The client closed the connection before its request was complete',
    },
  } as const),
);

/** Turns whatever was thrown into the error that the client is told about. Never reads a message to decide. */
export function toServiceError(thrown: unknown, bodyLimitBytes: number): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const frameworkCode = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (frameworkCode === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const message = `Request body: expected at most ${bodyLimitBytes} bytes, got more`;
    return new ServiceError('payload_too_large', message, { cause: thrown });
  }
  // The files of /docs: a path that leaves their folder is forbidden (403), to the client it is one that is not there.
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined;
  if (status === 403 || status === 404) return new ServiceError('route_not_found', 'There is no such route');
  const known = CLIENT_FAULTS.get(frameworkCode);
  if (known !== undefined) return new ServiceError(known.code, known.message, { cause: thrown });
  return new ServiceError('internal_error', 'The server failed to answer; its log has the reason', { cause: thrown });
}
