import { type ErrorCode, ServiceError } from '../contracts/errors.ts';
import { encodeControlFrame } from './control-messages.ts';
import { parseMessage } from './message-fields.ts';

/** Bounds a log line: native errors repeat a whole graph path or shape list. */
const MAX_DETAIL_CHARACTERS = 2000;

/** What to say of an error that is no `ServiceError`, whose own text may not be shown. */
export interface UnknownFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A `failed` frame. A `ServiceError` crosses as it is; of any other error only `unknown` is shown, its text is for logs. */
export function encodeFailure(id: number, error: unknown, unknown: UnknownFailure): Buffer {
  const known = error instanceof ServiceError ? error : undefined;
  const underneath = known === undefined ? error : known.cause;
  return encodeControlFrame('failed', id, {
    code: known?.code ?? unknown.code,
    message: known?.message ?? unknown.message,
    param: known?.param,
    detail: underneath === undefined ? undefined : detailOf(underneath),
  });
}

/** The error of a `failed` frame; its cause holds the detail, for logs. Throws `internal_error` for a malformed payload. */
export function readFailure(payload: Uint8Array): ServiceError {
  const fields = parseMessage('failed', payload);
  const detail = fields.optionalString('detail');
  const param = fields.optionalString('param');
  // Both ends are built from one source: whatever code the child names, this process knows.
  return new ServiceError(fields.string('code') as ErrorCode, fields.string('message'), {
    ...(detail === undefined ? {} : { cause: new Error(detail) }),
    ...(param === undefined ? {} : { param }),
  });
}

function detailOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_CHARACTERS);
}
