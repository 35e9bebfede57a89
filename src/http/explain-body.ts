import type { TValidationError } from 'typebox/error';
import { ServiceError } from '../contracts/errors.ts';
import { atMostItems, describeBodyError } from './describe-body-error.ts';

/** Of a compiled schema. */
export interface BodyValidator {
  Check(value: unknown): boolean;
  Errors(value: unknown): [boolean, TValidationError[]];
}

interface ListSchema {
  readonly maxItems?: number;
  readonly anyOf?: readonly ListSchema[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Telling what is wrong with items takes 5 µs for each, right ones too: a hundred times as long as seeing that one is. */
const ITEMS_EXPLAINED = 1000;

/** Says what is wrong with a body that does not satisfy its schema, soon however long its lists are. */
export function bodyExplainer(
  properties: Readonly<Record<string, ListSchema>>,
  validator: BodyValidator,
): (body: unknown, known: unknown) => ServiceError {
  const limits = Object.entries(properties).map(([name, schema]) => ({ name, limit: listLimit(schema) }));
  return (body, known) => {
    if (typeof known !== 'object' || known === null || Array.isArray(known))
      return describeBodyError(body, validator.Errors(known)[1]);
    const fields: Fields = { ...known };
    for (const { name, limit = Number.POSITIVE_INFINITY } of limits) {
      const count = lengthOf(fields[name]);
      if (count > limit) return tooLong(name, limit, lengthOf(Reflect.get(Object(body), name)));
    }
    return describeBodyError(body, firstErrors(validator, fields));
  };
}

function listLimit(schema: ListSchema): number | undefined {
  return [schema, ...(schema.anyOf ?? [])].find(({ maxItems }) => maxItems !== undefined)?.maxItems;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function tooLong(name: string, limit: number, count: number): ServiceError {
  return new ServiceError('invalid_request', `${name}: expected ${atMostItems(limit, count)}`, { param: name });
}

/** The errors of each long list's first part that has any; of a list without errors its first part stands for it. */
function firstErrors(validator: BodyValidator, fields: Fields): readonly TValidationError[] {
  const long = Object.entries(fields).filter(([, value]) => lengthOf(value) > ITEMS_EXPLAINED);
  const shortened = Object.fromEntries(long.map(([name, value]) => [name, partOf(value, 0)]));
  for (const [name, value] of long) {
    for (let start = 0; start < lengthOf(value); start += ITEMS_EXPLAINED) {
      const body = { ...fields, ...shortened, [name]: partOf(value, start) };
      if (!validator.Check(body)) return moved(validator.Errors(body)[1], name, start);
    }
  }
  return validator.Errors({ ...fields, ...shortened })[1];
}

function partOf(list: unknown, start: number): readonly unknown[] {
  return Array.isArray(list) ? list.slice(start, start + ITEMS_EXPLAINED) : [];
}

/** Paths of errors in a part of a list become those in the list. */
function moved(errors: readonly TValidationError[], name: string, start: number): readonly TValidationError[] {
  const path = new RegExp(`^/${name}/(\\d+)`);
  return errors.map((error) => ({
    ...error,
    instancePath: error.instancePath.replace(path, (_, index) => `/${name}/${start + Number(index)}`),
  }));
}
