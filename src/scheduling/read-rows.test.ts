import { expect, test } from 'vitest';
import type { GraphOutput } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import { readRows } from './read-rows.ts';

const EMBEDDING: GraphOutput = {
  name: 'embedding',
  role: 'embedding',
  per: 'item',
  width: 2,
  firstToken: 0,
  ignoredIds: [],
};
const shape = (batch: number) => ({ batch, sequence: 5 });
const outputOf = (numbers: readonly number[], dims: readonly number[], name = 'embedding') => [
  { name, dims, data: Float32Array.from(numbers) },
];

test('rows are views on the output, not copies', () => {
  const outputs = outputOf([1, 2, 3, 4], [2, 2]);
  const rows = readRows(outputs, [EMBEDDING], shape(2));
  expect(rows).toEqual([[Float32Array.from([1, 2])], [Float32Array.from([3, 4])]]);
  for (const row of rows.flat()) {
    expect(row instanceof Float32Array && row.buffer === outputs[0]?.data.buffer).toBe(true);
  }
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'a row with %d is an error for its item only',
  (number) => {
    const rows = readRows(outputOf([1, number, 3, 4], [2, 2]), [EMBEDDING], shape(2));
    expect(rows[0]).toBeInstanceOf(ServiceError);
    expect(rows[1]).toEqual([Float32Array.from([3, 4])]);
  },
);

test.each([
  ['another name', outputOf([1, 2], [1, 2], 'logits'), 'got outputs [logits]'],
  ['another batch', outputOf([1, 2, 3, 4], [2, 2]), 'got float32 [2, 2] with 4 numbers'],
  ['another width', outputOf([1], [1, 1]), 'got float32 [1, 1]'],
  ['hidden states', outputOf([1, 2], [1, 1, 2]), 'got float32 [1, 1, 2]'],
  ['too few numbers', outputOf([1], [1, 2]), 'with 1 numbers'],
  ['integers', [{ name: 'embedding', dims: [1, 2], data: Int32Array.from([1, 2]) }], 'got int32 [1, 2]'],
])('refuses an output with %s', (_name, outputs, message) => {
  expect(() => readRows(outputs, [EMBEDDING], shape(1))).toThrow(message);
  expect(() => readRows(outputs, [EMBEDDING], shape(1))).toThrow(`expected 'embedding' as float32 [1, 2]`);
});

test('an item has a row of each output, and one per token holds all its tokens', () => {
  const tokens: GraphOutput = { ...EMBEDDING, name: 'tokens', role: 'colbert', per: 'token', firstToken: 1 };
  const tensors = [
    { name: 'tokens', dims: [2, 2, 2], data: Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8]) },
    ...outputOf([9, 10, 11, 12], [2, 2]),
  ];
  expect(readRows(tensors, [EMBEDDING, tokens], { batch: 2, sequence: 3 })).toEqual([
    [Float32Array.from([9, 10]), Float32Array.from([1, 2, 3, 4])],
    [Float32Array.from([11, 12]), Float32Array.from([5, 6, 7, 8])],
  ]);
  expect(() => readRows(tensors, [EMBEDDING, tokens], { batch: 2, sequence: 4 })).toThrow(
    "expected 'tokens' as float32 [2, 3, 2], got float32 [2, 2, 2]",
  );
});
