import type { ErrorForm } from '../../error-form.ts';
import { MODEL_ERRORS } from '../model-errors.ts';

/** What all routes of TEI that run a model have in common. */
export const TEI_ROUTE = {
  errorForm: (): ErrorForm => 'tei',
  tag: 'tei',
  errors: MODEL_ERRORS,
} as const;
