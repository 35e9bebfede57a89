import type { ErrorCode } from '../contracts/errors.ts';

export interface ErrorRow {
  /** HTTP status. */
  readonly status: number;
  /** `type` of the OpenAI envelope: what kind of party has to act. */
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'rate_limit_error'
    | 'server_error'
    | 'service_unavailable_error'
    | 'request_cancelled';
  readonly headers?: Readonly<Record<string, string>>;
  /** Written to the log beyond the debug line that each request has. */
  readonly log?: 'error' | 'warning';
}

const invalidRequest = { status: 400, type: 'invalid_request_error' } as const;
const serverError = { status: 500, type: 'server_error', log: 'error' } as const;

/**
 * How each error leaves the server. Validation failures are 400, not the 422 of the original: OpenAI's API and clients use
 * 400, and the clients of the original only look at whether the status is 200.
 */
export const ERROR_TABLE = {
  invalid_request: invalidRequest,
  invalid_json: invalidRequest,
  capability_missing: invalidRequest,
  unauthorized: { status: 401, type: 'authentication_error', headers: { 'www-authenticate': 'Bearer' } },
  forbidden: { status: 403, type: 'permission_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  route_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  payload_too_large: { status: 413, type: 'invalid_request_error', log: 'warning' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  // The client has gone, so nobody reads this; the number is nginx's, for access logs.
  request_cancelled: { status: 499, type: 'request_cancelled' },
  // With the time to wait, which each error of these codes carries.
  overloaded: { status: 429, type: 'service_unavailable_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  deadline_exceeded: { status: 504, type: 'service_unavailable_error' },
  // A small model is ready within seconds, so clients that honour the header try again soon.
  model_loading: { status: 503, type: 'service_unavailable_error', headers: { 'retry-after': '2' } },
  model_failed: { status: 503, type: 'service_unavailable_error' },
  // The next attempt must open a new connection, which a load balancer sends to another instance.
  shutting_down: {
    status: 503,
    type: 'service_unavailable_error',
    headers: { 'retry-after': '5', connection: 'close' },
  },
  run_failed: serverError,
  lane_lost: serverError,
  internal_error: serverError,
  invalid_settings: serverError,
  model_unavailable: serverError,
  invalid_model_folder: serverError,
  invalid_checkpoint: serverError,
  unsupported_architecture: serverError,
  compile_failed: serverError,
  address_unavailable: serverError,
} satisfies Record<ErrorCode, ErrorRow>;

/** The row of a code, with the optional columns. */
export function errorRow(code: ErrorCode): ErrorRow {
  return ERROR_TABLE[code];
}
