import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { transposed } from './transposed.ts';

test.each([
  [1, 1],
  [3, 70],
  [70, 33],
])('[%i, %i] is turned over', (rows, columns) => {
  const values = Float32Array.from({ length: rows * columns }, (_value, index) => index);
  const half = Math.floor(values.length / 2);
  const weight = { name: 'w', dims: [rows, columns], chunks: () => [values.subarray(0, half), values.subarray(half)] };
  const turned = transposed(weight);
  expect(turned.dims).toEqual([columns, rows]);
  const expected = Array.from({ length: rows * columns }, (_value, index) => {
    const [column, row] = [Math.floor(index / rows), index % rows];
    return row * columns + column;
  });
  expect([...readWhole(turned)]).toEqual(expected);
});
