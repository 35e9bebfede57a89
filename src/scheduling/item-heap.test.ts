import { expect, test } from 'vitest';
import { Item } from './item.ts';
import { ItemHeap } from './item-heap.ts';

const encoding = { ids: new Int32Array(1), typeIds: new Int32Array(1) };
/** The same numbers in every run. */
const scattered = (index: number) => (index * 7919) % 101;

test('items come by their turn, equal turns by their order, whichever were removed', () => {
  const heap = new ItemHeap();
  const items = Array.from({ length: 500 }, (_, order) => new Item(encoding, 0, scattered(order), order));
  for (const item of items) heap.add(item);
  const removed = new Set(items.filter((_, index) => scattered(index) % 3 === 0));
  for (const item of removed) heap.remove(item);
  expect([...removed].every(({ isQueued }) => !isQueued)).toBe(true);
  const taken = Array.from({ length: heap.count }, () => heap.takeFirst());
  const expected = items.filter((item) => !removed.has(item)).sort((a, b) => a.turn - b.turn || a.order - b.order);
  expect(taken.map((item) => item?.order)).toEqual(expected.map(({ order }) => order));
  expect(heap.takeFirst()).toBeUndefined();
});
