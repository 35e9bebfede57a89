import { type ErrorCode, ServiceError } from '../contracts/errors.ts';

/** Bounds a log line: an error of the native tokenizer may repeat its input. */
const MAX_DETAIL_CHARACTERS = 2000;

/** An error as it crosses between threads; a class does not survive that. */
export interface TokenizerFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | undefined;
  /** What went wrong underneath, for logs. */
  readonly detail: string | undefined;
}

/** A `ServiceError` crosses as it is; any other error becomes `internal_error`, its text only a detail. */
export function toFailure(error: unknown): TokenizerFailure {
  if (error instanceof ServiceError) {
    const { code, message, param, cause } = error;
    return { code, message, param, detail: cause === undefined ? undefined : detailOf(cause) };
  }
  return { code: 'internal_error', message: 'The tokenizer failed.', param: undefined, detail: detailOf(error) };
}

/** The error again; its cause holds the detail. */
export function toServiceError({ code, message, param, detail }: TokenizerFailure): ServiceError {
  return new ServiceError(code, message, {
    ...(param === undefined ? {} : { param }),
    ...(detail === undefined ? {} : { cause: new Error(detail) }),
  });
}

function detailOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_CHARACTERS);
}
