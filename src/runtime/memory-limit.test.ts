import { expect, test } from 'vitest';
import { parseMemoryMax } from './memory-limit.ts';

test.each([
  ['2147483648\n', 2_147_483_648],
  ['max\n', undefined],
  ['', undefined],
  ['99999999999999999999\n', undefined],
])('%j grants %s bytes', (text, bytes) => {
  expect(parseMemoryMax(text)).toBe(bytes);
});
