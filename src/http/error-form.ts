import type { ServiceError } from '../contracts/errors.ts';
import { ERROR_BODY_SCHEMA, errorBody } from './error-body.ts';
import { errorRow } from './error-table.ts';

/** Whose clients read the error: OpenAI's envelope everywhere, but for the routes that only TEI has. */
export type ErrorForm = 'openai' | 'tei';

interface Form {
  /** JSON Schema. */
  readonly schema: object;
  body(error: ServiceError): object;
}

export const ERROR_FORMS: Readonly<Record<ErrorForm, Form>> = {
  openai: { schema: ERROR_BODY_SCHEMA, body: errorBody },
  tei: {
    schema: {
      type: 'object',
      required: ['error', 'error_type'],
      properties: {
        error: { type: 'string', description: 'Names the thing, the expected and the actual.' },
        error_type: { enum: ['Unhealthy', 'Backend', 'Overloaded', 'Validation'] },
      },
    },
    body: (error) => ({ error: error.message, error_type: teiErrorType(error) }),
  },
};

/** TEI's own words for a status; a model of another kind is what it calls a failure of its backend. */
function teiErrorType({ code }: ServiceError): string {
  const { status } = errorRow(code);
  if (status === 429) return 'Overloaded';
  if (status === 503) return 'Unhealthy';
  return status >= 500 || code === 'capability_missing' ? 'Backend' : 'Validation';
}
