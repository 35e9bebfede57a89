import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import type { ServiceError } from '../contracts/errors.ts';
import { describeBodyError } from './describe-body-error.ts';

/**
 * A function that returns a body which satisfies the JSON Schema, the same object, or throws `invalid_request`. Nothing is
 * coerced (`5` is not `"5"`) and nothing removed: unknown fields are left for nobody to read.
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
  return (body) => {
    if (validator.Check(body)) return body;
    throw explain(body) ?? describeBodyError(body, validator.Errors(shortenLists(body, longestList + 1))[1]);
  };
}

/** The largest `maxItems` anywhere in the schema. */
function findLongestList(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'maxItems' in schema && typeof schema.maxItems === 'number' ? schema.maxItems : 0;
  return Math.max(own, ...Object.values(schema).map(findLongestList));
}

/**
 * A copy whose fields hold no more items than it takes to see that they are too many. The list of what is wrong is made
 * item by item, and for the five million items that fit into a body it held the thread for seconds.
 */
function shortenLists(body: unknown, items: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, items) : value,
  ]);
  return Object.fromEntries(fields);
}
