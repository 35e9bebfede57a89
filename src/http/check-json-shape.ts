import { ServiceError } from '../contracts/errors.ts';

/** Guards whoever walks a value by recursion; the bodies of all dialects have at most six levels. */
const MAX_LEVELS = 100;

/**
 * Guards memory: 64 MB of `{},{},…` are 1.2 GB of objects. 2048 documents of ten fields each have 43,000 lists, objects and
 * texts; numbers do not count, since they take no more room than their digits.
 */
const MAX_PARTS = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Looked at before others get their turn: 4 ms. */
const BYTES_A_STEP = 4 * 1024 * 1024;

/**
 * Throws `invalid_request` for JSON that is nested too deep or has too many parts, before anything is made of it. Bytes that
 * are no JSON may pass: 1 ns for each. It yields where others may have their turn.
 */
export function* checkJsonShape(bytes: Uint8Array): Generator<undefined, void> {
  let level = 0;
  let parts = 0;
  let nextStep = BYTES_A_STEP;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= nextStep) {
      yield;
      nextStep = at + BYTES_A_STEP;
    }
    const byte = bytes[at];
    if (byte === QUOTE) {
      parts += 1;
      at = endOfText(bytes, at);
    } else if (byte === LIST || byte === OBJECT) {
      parts += 1;
      level += 1;
    } else if (byte === LIST_END || byte === OBJECT_END) level -= 1;
    if (level > MAX_LEVELS) throw refusal(`${MAX_LEVELS} levels of lists and objects`);
    if (parts > MAX_PARTS) throw refusal(`${MAX_PARTS} lists, objects and texts`);
  }
}

/** Where the closing quote is. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function refusal(most: string): ServiceError {
  return new ServiceError('invalid_request', `Request body: expected at most ${most}, got more`);
}
