import * as fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors.ts';
import type { JsonObject, JsonValue } from '../../src/contracts/json.ts';

/** How many inputs each property is tried with: few in `npm test`, many in `npm run fuzz`. */
export const RUNS = Number(process.env.FUZZ_RUNS ?? 100);

/** For properties of which a single input takes tens of milliseconds. */
export const FEW_RUNS = Math.ceil(RUNS / 5);

/**
 * Longer than any input of a few kilobytes may take, on a machine that does much else: what takes longer hangs, or does work
 * that grows faster than its input.
 */
const MOST_MS = 2000;

/** Numbers at which lengths, counts and offsets go wrong. */
const TELLING_NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

type Bytes = Buffer<ArrayBuffer>;

/** One change: so many bytes from a place on are replaced by others, or by none. */
interface Edit {
  /** Taken modulo the length. */
  readonly at: number;
  readonly removed: number;
  readonly added: Uint8Array;
}

const littleEndian = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ at: fc.nat(), removed: fc.constant(1), added: fc.uint8Array({ minLength: 1, maxLength: 1 }) }),
  fc.record({ at: fc.nat(), removed: fc.constant(4), added: fc.constantFrom(...TELLING_NUMBERS).map(littleEndian) }),
  fc.record({ at: fc.nat(), removed: fc.constant(Number.MAX_SAFE_INTEGER), added: fc.constant(new Uint8Array()) }),
  fc.record({ at: fc.nat(), removed: fc.nat({ max: 64 }), added: fc.uint8Array({ maxLength: 16 }) }),
);

function applied(bytes: Bytes, { at, removed, added }: Edit): Bytes {
  const place = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, place), added, bytes.subarray(place + removed)]);
}

/** These bytes with up to four changes: flipped, cut off, grown, with lengths that cannot be. */
export function damaged(valid: Uint8Array): fc.Arbitrary<Bytes> {
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => edits.reduce(applied, Buffer.from(valid)));
}

/** The same of a text; what is no UTF-8 afterwards becomes U+FFFD, as when a file is read. */
export const damagedText = (valid: string) => damaged(Buffer.from(valid)).map((bytes) => bytes.toString('utf8'));

/** Any bytes at all. */
export const anyBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

/** All of Unicode, lone surrogates and NUL among it. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
);

/** Values that a field of JSON may have when nobody has looked. */
export const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<JsonValue[]>(null, 0, -1, 1, 0.5, 1e9, 2 ** 53, '', '..', [], {}, true),
);

/** The object with other values in up to three of its fields. */
export function withOtherValues(valid: JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(valid)), anyValue), { minLength: 1, maxLength: 3 })
    .map((changes) => ({ ...valid, ...Object.fromEntries(changes) }));
}

/**
 * Whatever comes of an input, it comes soon, and it is a result or a `ServiceError`: anything else that is thrown is a mistake
 * of the reader.
 */
export async function holdsForAll<Input>(
  inputs: fc.Arbitrary<Input>,
  read: (input: Input) => unknown,
  runs = RUNS,
  mostMs = MOST_MS,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const from = performance.now();
      try {
        await read(input);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
      const took = performance.now() - from;
      if (took > mostMs) throw new Error(`took ${took.toFixed(0)} ms`);
    }),
    { numRuns: runs },
  );
}
