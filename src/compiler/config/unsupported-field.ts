import { ServiceError } from '../../contracts/errors.ts';

/** A field of config.json whose value the graph does not follow: refused by name rather than ignored. */
export function unsupportedField(family: string, field: string, actual: string, expected: string): ServiceError {
  return new ServiceError('unsupported_architecture', `${family}: ${field} is ${actual}, expected ${expected}`);
}
