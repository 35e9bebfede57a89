import { expect, test } from 'vitest';
import { packRun } from './pack-run.ts';

const encodingOf = (ids: readonly number[], typeIds: readonly number[]) => ({
  ids: Int32Array.from(ids),
  typeIds: Int32Array.from(typeIds),
});
const idInput = { name: 'input_ids', role: 'input_ids' } as const;
const typeInput = { name: 'types', role: 'token_type_ids' } as const;

test('lays the rows of each input one after the other, in the order of the graph', () => {
  const encodings = [encodingOf([1, 2, 3], [0, 0, 1]), encodingOf([4, 5, 6], [0, 1, 1])];
  expect(packRun(encodings, [typeInput, idInput])).toEqual([
    { name: 'types', dims: [2, 3], data: Int32Array.from([0, 0, 1, 0, 1, 1]) },
    { name: 'input_ids', dims: [2, 3], data: Int32Array.from([1, 2, 3, 4, 5, 6]) },
  ]);
});

test('gives a graph only the inputs that it has', () => {
  expect(packRun([encodingOf([1], [0])], [idInput]).map(({ name }) => name)).toEqual(['input_ids']);
});

test('refuses items of different lengths', () => {
  const encodings = [encodingOf([1, 2], [0, 0]), encodingOf([1], [0])];
  expect(() => packRun(encodings, [idInput])).toThrow('expected 2 tokens, got 1');
});
