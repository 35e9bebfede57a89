import { expect, test } from 'vitest';
import type { Encoding } from '../contracts/tokenizer.ts';
import { Item } from './item.ts';
import { hashIds, ItemsInFlight } from './items-in-flight.ts';

const encoding = (ids: readonly number[], types: readonly number[] = ids.map(() => 0)) => ({
  ids: Int32Array.from(ids),
  typeIds: Int32Array.from(types),
});

const itemOf = (own: Encoding) => new Item(own, hashIds(own.ids), 0, 0);
const find = (inFlight: ItemsInFlight, wanted: Encoding) => inFlight.find(wanted, hashIds(wanted.ids));

test('finds what has the same ids and types, and nothing else', () => {
  const inFlight = new ItemsInFlight();
  const item = itemOf(encoding([1, 2, 3]));
  inFlight.add(item);
  expect(find(inFlight, encoding([1, 2, 3]))).toBe(item);
  for (const other of [encoding([3, 2, 1]), encoding([1, 2]), encoding([1, 2, 3, 0]), encoding([1, 2, 3], [0, 0, 1])]) {
    expect(find(inFlight, other)).toBeUndefined();
  }
  inFlight.remove(item);
  expect(find(inFlight, encoding([1, 2, 3]))).toBeUndefined();
});

test('an item that could not be added because of an equal hash does not remove the other', () => {
  const inFlight = new ItemsInFlight();
  const first = itemOf(encoding([1, 2]));
  const sameIds = itemOf(encoding([1, 2], [0, 1]));
  inFlight.add(first);
  inFlight.add(sameIds);
  inFlight.remove(sameIds);
  expect(find(inFlight, encoding([1, 2]))).toBe(first);
});
