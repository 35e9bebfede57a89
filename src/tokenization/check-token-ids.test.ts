import { expect, test } from 'vitest';
import { checkTokenIds } from './check-token-ids.ts';

test('accepts the first and the last id of the vocabulary', () => {
  expect(() => checkTokenIds([0, 9], 10)).not.toThrow();
  expect(() => checkTokenIds(new Int32Array(), 10)).not.toThrow();
});

test.each([
  ['a negative id', [3, -5], 'Token id -5 at position 1'],
  ['the id after the last', [10], 'Token id 10 at position 0'],
  ['a fraction', [1.5], 'Token id 1.5 at position 0'],
  ['not a number', [Number.NaN], 'Token id NaN at position 0'],
])('refuses %s and names it and the size', (_name, ids, message) => {
  expect(() => checkTokenIds(ids, 10)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  expect(() => checkTokenIds(ids, 10)).toThrow(message);
  expect(() => checkTokenIds(ids, 10)).toThrow('from 0 to 9');
});
