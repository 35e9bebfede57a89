import { ServiceError } from '../contracts/errors.ts';
import type { JsonValue } from '../contracts/json.ts';

/** Reads the fields of one JSON object; each call throws `internal_error` naming the message, the field and what was found. */
export interface MessageFields {
  string(field: string): string;
  /** `undefined` when the field is missing. */
  optionalString(field: string): string | undefined;
  /** A finite number. */
  number(field: string): number;
  /** A finite number; `undefined` when the field is missing. */
  optionalNumber(field: string): number | undefined;
  /** `undefined` when the field is missing. */
  optionalFlag(field: string): boolean | undefined;
  /** A whole number, at least `minimum`. */
  integer(field: string, minimum: number): number;
  /** One of the keys of `choices`. */
  oneOf<Choice extends string>(field: string, choices: Readonly<Record<Choice, true>>): Choice;
  /** A list of keys of `choices`. */
  listOf<Choice extends string>(field: string, choices: Readonly<Record<Choice, true>>): readonly Choice[];
  strings(field: string): readonly string[];
  /** Whole numbers, each at least `minimum`. */
  integers(field: string, minimum: number): readonly number[];
  object(field: string): MessageFields;
  /** `undefined` when the field is missing. */
  optionalObject(field: string): MessageFields | undefined;
  objects(field: string): readonly MessageFields[];
}

/** `message` names the message in errors. Throws `internal_error` when the payload is not a JSON object. */
export function parseMessage(message: string, payload: Uint8Array): MessageFields {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8'));
  } catch (cause) {
    throw new ServiceError('internal_error', `The lane message '${message}' is not JSON.`, { cause });
  }
  return fieldsOf(message, value as JsonValue);
}

function fieldsOf(message: string, value: JsonValue | undefined): MessageFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('internal_error', `The lane message '${message}' is ${kindOf(value)}; expected an object.`);
  }
  const fields = new Map(Object.entries(value));
  const wrong = (field: string, expected: string): ServiceError =>
    new ServiceError(
      'internal_error',
      `The lane message '${message}' has '${field}' as ${kindOf(fields.get(field))}; expected ${expected}.`,
    );

  function string(field: string): string {
    const found = fields.get(field);
    if (typeof found !== 'string') throw wrong(field, 'a string');
    return found;
  }

  function number(field: string): number {
    const found = fields.get(field);
    if (typeof found !== 'number') throw wrong(field, 'a number');
    return found;
  }

  function list(field: string, expected: string): readonly JsonValue[] {
    const found = fields.get(field);
    if (!Array.isArray(found)) throw wrong(field, expected);
    return found;
  }

  return {
    string,
    optionalString: (field) => (fields.get(field) === undefined ? undefined : string(field)),
    number,
    optionalNumber: (field) => (fields.get(field) === undefined ? undefined : number(field)),
    optionalFlag(field) {
      const found = fields.get(field);
      if (found !== undefined && typeof found !== 'boolean') throw wrong(field, 'true or false');
      return found;
    },
    integer(field, minimum) {
      const found = fields.get(field);
      if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < minimum) {
        throw wrong(field, `an integer of at least ${minimum}`);
      }
      return found;
    },
    oneOf(field, choices) {
      const found = string(field);
      if (!isKeyOf(choices, found)) throw wrong(field, `one of ${Object.keys(choices).join(', ')}`);
      return found;
    },
    listOf(field, choices) {
      const expected = `a list of ${Object.keys(choices).join(', ')}`;
      return list(field, expected).map((item) => {
        if (typeof item !== 'string' || !isKeyOf(choices, item)) throw wrong(field, expected);
        return item;
      });
    },
    integers(field, minimum) {
      const expected = `a list of integers of at least ${minimum}`;
      return list(field, expected).map((item) => {
        if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < minimum) throw wrong(field, expected);
        return item;
      });
    },
    object: (field) => fieldsOf(`${message}.${field}`, fields.get(field)),
    optionalObject(field) {
      const found = fields.get(field);
      return found === undefined ? undefined : fieldsOf(`${message}.${field}`, found);
    },
    strings(field) {
      return list(field, 'a list of strings').map((item) => {
        if (typeof item !== 'string') throw wrong(field, 'a list of strings');
        return item;
      });
    },
    objects: (field) => list(field, 'a list of objects').map((item) => fieldsOf(`${message}.${field}`, item)),
  };
}

function isKeyOf<Key extends string>(choices: Readonly<Record<Key, true>>, value: string): value is Key {
  return Object.hasOwn(choices, value);
}

/** Never the value itself: a message of a damaged channel may hold anything. */
function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
