import { expect, test } from 'vitest';
import { itemKey } from './item-key.ts';

const ids = (...values: number[]) => Int32Array.from(values);

test('a key is sha256 in base64url and the same for equal numbers, wherever they lie in memory', () => {
  const view = Int32Array.of(9, 1, 2, 3).subarray(1);
  expect(itemKey('model', [view])).toMatch(/^[\w-]{43}$/);
  expect(itemKey('model', [view])).toBe(itemKey('model', [ids(1, 2, 3)]));
});

test.each([
  ['the model', ['a', [ids(1)]], ['b', [ids(1)]]],
  ['the ids', ['a', [ids(1, 2)]], ['a', [ids(2, 1)]]],
  ['a pair whose texts join to the same: ab and c, a and bc', ['a', [ids(1, 2), ids(3)]], ['a', [ids(1), ids(2, 3)]]],
  ['ids and type ids that change places', ['a', [ids(0), ids(1)]], ['a', [ids(1), ids(0)]]],
  ['an empty part more', ['a', [ids(1)]], ['a', [ids(1), ids()]]],
  ['the end of the name and the start of the ids', ['a1', [ids()]], ['a', [Buffer.from('1'), ids()]]],
] as const)('keys differ by %s', (_name, [originA, partsA], [originB, partsB]) => {
  expect(itemKey(originA, partsA)).not.toBe(itemKey(originB, partsB));
});

test('two images of one height have different keys', () => {
  const image = (height: number, colour: number) => [
    ids(height, height),
    new Uint8Array(3 * height * height).fill(colour),
  ];
  expect(itemKey('clip', image(8, 10))).not.toBe(itemKey('clip', image(8, 200)));
});
