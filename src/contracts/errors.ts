/**
 * Every way a request or a start can fail. Inner rooms name the code; only `http` (code -> status and OpenAI error type)
 * and `cli` (code -> exit code) translate it, each by one table that the compiler checks for completeness.
 */
export type ErrorCode =
  // The client's request.
  | 'invalid_request'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden'
  | 'model_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'capability_missing'
  | 'request_cancelled'
  | 'overloaded'
  | 'rate_limited'
  | 'deadline_exceeded'
  // The service's state.
  | 'model_loading'
  | 'model_failed'
  | 'shutting_down'
  | 'run_failed'
  | 'lane_lost'
  | 'internal_error'
  // Start-up.
  | 'invalid_settings'
  | 'model_unavailable'
  | 'invalid_model_folder'
  | 'invalid_checkpoint'
  | 'unsupported_architecture'
  | 'compile_failed'
  | 'address_unavailable';

export interface ServiceErrorOptions {
  /** What went wrong underneath: for logs, never sent to a client. */
  readonly cause?: unknown;
  /** The request field or setting that the error is about. */
  readonly param?: string;
  /** Whole seconds after which trying again makes sense. */
  readonly retryAfterS?: number;
  /** The cause can pass although nobody changes a setting or a file: the network, a full disk. */
  readonly canPass?: boolean;
}

/** The only error that crosses rooms. Its message names the thing, the expected and the actual, and is safe to show. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly canPass: boolean;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.retryAfterS = options.retryAfterS;
    this.canPass = options.canPass ?? false;
  }
}
