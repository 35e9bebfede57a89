import { ServiceError } from '../../contracts/errors.ts';

/** Throws `invalid_model_folder` where one field of config.json should be a multiple of another, such as width and heads. */
export function requireMultiple(field: string, value: number, ofField: string, of: number): void {
  if (value % of === 0) return;
  throw new ServiceError(
    'invalid_model_folder',
    `config.json: ${field} should be a multiple of ${ofField}, got ${value} and ${of}`,
  );
}
