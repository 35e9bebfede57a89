import type { TValidationError } from 'typebox/error';
import { ServiceError } from '../contracts/errors.ts';

/** Longest rejected word that a message quotes; a client's input is never echoed. */
const QUOTED_CHARACTERS = 40;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * The one complaint that helps most, as `invalid_request` with the field's path as `param`. A union reports the failures of
 * all its branches: the deepest is from the branch that the client meant, and at equal depth a broken limit says more than
 * a wrong type.
 */
export function describeBodyError(body: unknown, errors: readonly TValidationError[]): ServiceError {
  if (body === undefined) {
    return new ServiceError('invalid_request', 'Request body: expected a JSON object, got an empty body');
  }
  const pointer = deepestPointer(errors);
  const here = errors.filter((error) => error.instancePath === pointer && error.keyword !== 'anyOf');
  const actual = valueAt(body, pointer);
  const missing = missingField(here);
  if (missing !== undefined) {
    const field = fieldName(`${pointer}/${missing}`);
    return new ServiceError('invalid_request', `${field}: this field is required, and it is missing`, { param: field });
  }
  const field = fieldName(pointer);
  const message = `${field || 'Request body'}: expected ${expectation(here, actual)}`;
  return new ServiceError('invalid_request', message, field === '' ? {} : { param: field });
}

function deepestPointer(errors: readonly TValidationError[]): string {
  const depth = (error: TValidationError) => error.instancePath.split('/').length;
  let deepest: TValidationError | undefined;
  for (const error of errors) {
    if (deepest === undefined || depth(error) > depth(deepest)) deepest = error;
  }
  return deepest?.instancePath ?? '';
}

function missingField(errors: readonly TValidationError[]): string | undefined {
  for (const error of errors) {
    if (error.keyword === 'required') return error.params.requiredProperties[0];
  }
  return undefined;
}

function expectation(errors: readonly TValidationError[], actual: unknown): string {
  for (const error of errors) {
    const limit = brokenLimit(error, actual);
    if (limit !== undefined) return limit;
  }
  const accepted = errors.map(acceptedForm).filter((form) => form !== undefined);
  const quotes = errors.some((error) => error.keyword === 'enum');
  return `${accepted.join(' or ') || 'another value'}, got ${describeValue(actual, quotes)}`;
}

function brokenLimit(error: TValidationError, actual: unknown): string | undefined {
  const count = Array.isArray(actual) ? actual.length : 0;
  switch (error.keyword) {
    case 'minItems':
      return `at least ${error.params.limit} item${error.params.limit === 1 ? '' : 's'}, got ${count}`;
    case 'maxItems':
      return atMostItems(error.params.limit, count);
    case 'minimum':
      return `at least ${error.params.limit}, got ${String(actual)}`;
    case 'maximum':
      return `at most ${error.params.limit}, got ${String(actual)}`;
    default:
      return undefined;
  }
}

export function atMostItems(limit: number, count: number): string {
  return `at most ${limit} items, got ${count}`;
}

function acceptedForm(error: TValidationError): string | undefined {
  if (error.keyword === 'enum') return error.params.allowedValues.map((value) => JSON.stringify(value)).join(' or ');
  if (error.keyword !== 'type') return undefined;
  return [error.params.type]
    .flat()
    .map((type) => TYPE_NAMES[type] ?? type)
    .join(' or ');
}

function describeValue(value: unknown, quote: boolean): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  if (quote && typeof value === 'string' && value.length <= QUOTED_CHARACTERS) return JSON.stringify(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `/documents/3/text` -> `documents[3].text`. Our fields need no escapes of JSON Pointer. */
function fieldName(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const step of pointer.split('/').slice(1)) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return value;
}
