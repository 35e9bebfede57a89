import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { readRows } from './read-rows.ts';

const model = { outputName: 'embedding', outputWidth: 2 };
const outputOf = (numbers: readonly number[], dims: readonly number[], name = 'embedding') => [
  { name, dims, data: Float32Array.from(numbers) },
];

test('rows are views on the output, not copies', () => {
  const outputs = outputOf([1, 2, 3, 4], [2, 2]);
  const rows = readRows(outputs, model, 2);
  expect(rows).toEqual([Float32Array.from([1, 2]), Float32Array.from([3, 4])]);
  for (const row of rows) expect(row instanceof Float32Array && row.buffer === outputs[0]?.data.buffer).toBe(true);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'a row with %d is an error for its item only',
  (number) => {
    const rows = readRows(outputOf([1, number, 3, 4], [2, 2]), model, 2);
    expect(rows[0]).toBeInstanceOf(ServiceError);
    expect(rows[1]).toEqual(Float32Array.from([3, 4]));
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
  expect(() => readRows(outputs, model, 1)).toThrow(message);
  expect(() => readRows(outputs, model, 1)).toThrow(`expected 'embedding' as float32 [1, 2]`);
});
