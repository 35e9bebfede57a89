import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import type { ServiceError } from '../contracts/errors.ts';
import { bodyExplainer } from './explain-body.ts';

/**
 * A function that returns what a body has of the fields of the JSON Schema, once they satisfy it, or throws
 * `invalid_request`. Nothing is coerced (`5` is not `"5"`), and unknown fields are not looked at: millions fit into a body.
 *
 * Schemas are written as JSON Schema, of which `typebox/schema` infers the type: its builders, a second way to write the
 * same, would load 500 more modules at start.
 */
export function compileBody<const Schema extends object>(
  schema: Schema,
  explain: (body: unknown) => ServiceError | undefined = () => undefined,
): (body: unknown) => Static<Schema> {
  const validator = Compile(schema);
  const longestList = findLongestList(schema);
  const properties = ('properties' in schema && schema.properties) || {};
  const fieldNames = Object.keys(properties);
  const describe = bodyExplainer({ ...properties }, validator);
  return (body) => {
    const known = knownFields(body, fieldNames, longestList + 1);
    if (validator.Check(known)) return known;
    throw explain(known) ?? describe(body, known);
  };
}

/** The largest `maxItems` anywhere in the schema. */
function findLongestList(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'maxItems' in schema && typeof schema.maxItems === 'number' ? schema.maxItems : 0;
  return Math.max(own, ...Object.values(schema).map(findLongestList));
}

/**
 * The named fields, with no more items in a list than it takes to see that they are too many: checking every one of the
 * five million items that fit into a body, and saying what is wrong with each, held the thread for a minute.
 */
function knownFields(body: unknown, names: readonly string[], items: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(body, name)) continue;
    const value: unknown = Reflect.get(body, name);
    fields[name] = Array.isArray(value) ? value.slice(0, items) : value;
  }
  return fields;
}
