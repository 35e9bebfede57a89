import type { ServiceError } from '../contracts/errors.ts';
import { errorRow } from './error-table.ts';

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** The field that the error is about: `input[3]`. */
    readonly param: string | null;
    readonly code: string;
  };
}

/** The envelope of every error reply, as OpenAI's clients read it; as JSON Schema. */
export const ERROR_BODY_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string', description: 'Names the thing, the expected and the actual.' },
        type: { type: 'string' },
        param: { type: ['string', 'null'], description: 'The field that the error is about: `input[3]`.' },
        code: { type: 'string', description: 'Stable: programs may compare it.' },
      },
    },
  },
} as const;

/** Never holds the cause. */
export function errorBody(error: ServiceError): ErrorBody {
  const { message, code, param } = error;
  return { error: { message, type: errorRow(code).type, param: param ?? null, code } };
}
