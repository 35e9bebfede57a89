import { expect, test } from 'vitest';
import { groupByLength } from './group-by-length.mjs';

const item = (length: number) => ({ ids: { length } });
const lengthsOf = (lengths: readonly number[], limits: { maxItems: number; maxTokens: number }) =>
  groupByLength(lengths.map(item), limits).map((group) => group.map(({ ids }) => ids.length));

test.each([
  ['equal lengths share a group', [4, 7, 4], { maxItems: 8, maxTokens: 100 }, [[4, 4], [7]]],
  ['a group holds at most so many items', [4, 4, 4], { maxItems: 2, maxTokens: 100 }, [[4, 4], [4]]],
  ['a group holds at most so many tokens', [4, 4, 4], { maxItems: 8, maxTokens: 8 }, [[4, 4], [4]]],
  ['an item over the limit stands alone', [9, 9], { maxItems: 8, maxTokens: 5 }, [[9], [9]]],
  ['nothing makes no group', [], { maxItems: 8, maxTokens: 5 }, []],
])('%s', (_name, lengths, limits, groups) => {
  expect(lengthsOf(lengths, limits)).toEqual(groups);
});
