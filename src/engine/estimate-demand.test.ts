import { expect, test } from 'vitest';
import { estimateDemand } from './estimate-demand.ts';

test('a text counts a quarter of its characters, at most what the model takes', () => {
  expect(estimateDemand(['a'.repeat(40), 'b'.repeat(10_000), ''], 512)).toEqual({ items: 3, tokens: 12 + 512 + 2 });
});

test('a query counts with each document', () => {
  expect(estimateDemand(['a'.repeat(40), ''], 512, 'q'.repeat(8))).toEqual({ items: 2, tokens: 14 + 4 });
});

test('ids count as they are, a pair by both texts', () => {
  expect(estimateDemand([[1, 2, 3]], 512)).toEqual({ items: 1, tokens: 3 });
  expect(estimateDemand([['a'.repeat(8), 'b'.repeat(4)]], 512)).toEqual({ items: 1, tokens: 2 + 3 });
});
