import type { ErrorCode } from '../contracts/errors.ts';

/** The command line itself was wrong: what shells and the original use. */
export const USAGE_EXIT_CODE = 2;

const FAILURE = 1;
const MODEL_FAILURE = 3;

/** The one table from a failure to the exit code of the process. */
export const EXIT_CODES = {
  invalid_settings: USAGE_EXIT_CODE,
  model_unavailable: MODEL_FAILURE,
  invalid_model_folder: MODEL_FAILURE,
  invalid_checkpoint: MODEL_FAILURE,
  unsupported_architecture: MODEL_FAILURE,
  compile_failed: MODEL_FAILURE,
  model_failed: MODEL_FAILURE,
  model_loading: MODEL_FAILURE,
  run_failed: MODEL_FAILURE,
  lane_lost: MODEL_FAILURE,
  address_unavailable: FAILURE,
  shutting_down: FAILURE,
  internal_error: FAILURE,
  // Answers to requests; a command that makes requests of its own fails with them.
  invalid_request: FAILURE,
  invalid_json: FAILURE,
  unauthorized: FAILURE,
  forbidden: FAILURE,
  model_not_found: FAILURE,
  route_not_found: FAILURE,
  method_not_allowed: FAILURE,
  unsupported_media_type: FAILURE,
  payload_too_large: FAILURE,
  capability_missing: FAILURE,
  request_cancelled: FAILURE,
  overloaded: FAILURE,
  rate_limited: FAILURE,
  deadline_exceeded: FAILURE,
} as const satisfies Record<ErrorCode, number>;
