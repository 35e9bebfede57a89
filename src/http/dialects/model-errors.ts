import type { ErrorCode } from '../../contracts/errors.ts';

/** What the work of every route that runs a model can end in. */
export const MODEL_ERRORS: readonly ErrorCode[] = [
  'capability_missing',
  'model_not_found',
  'model_loading',
  'model_failed',
  'run_failed',
  'lane_lost',
  'overloaded',
  'deadline_exceeded',
];
