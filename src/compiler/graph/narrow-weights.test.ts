import { expect, test } from 'vitest';
import { computed } from '../weights/computed.ts';
import { GraphBuilder } from './graph-builder.ts';
import { narrowWeights } from './narrow-weights.ts';

const weightOf = (name: string, value: number, dims: readonly number[]) => ({
  name,
  dims,
  chunks: () => [new Float32Array(dims.reduce((product, size) => product * size, 1)).fill(value)],
});

function graphOf(value = 1) {
  const g = new GraphBuilder();
  const ids = g.input('ids', 'INT32', ['batch', 'sequence']);
  const table = g.constant(weightOf('table', value, [64, 32]));
  const rows = g.node('Gather', [table, ids], { dims: ['batch', 'sequence', 32] });
  const product = g.node('MatMul', [rows, g.constant(weightOf('matrix', value, [32, 32]))]);
  const shifted = g.node('Add', [product, g.constant(weightOf('bias', value, [32]))]);
  const positions = g.constant(computed('positions', [64, 32], () => new Float32Array(2048)));
  g.output('y', g.node('Add', [shifted, g.node('Gather', [positions, ids], { dims: ['batch', 'sequence', 32] })]));
  return g.build();
}

test('large weights of the checkpoint are stored narrow; small and computed ones stay', () => {
  const { constants } = narrowWeights(graphOf(), 'FLOAT16');
  expect(constants.map(({ name }) => name)).toEqual(['table:FLOAT16', 'matrix:FLOAT16', 'bias', 'computed:positions']);
});

test('a matrix is widened as a whole, a table by the rows that are looked up', () => {
  const { nodes } = narrowWeights(graphOf(), 'BFLOAT16');
  expect(
    nodes.map(({ operator, inputs, outputs }) => `${operator} ${inputs.join(',')} > ${outputs.join(',')}`),
  ).toEqual([
    'Cast matrix:BFLOAT16 > matrix',
    'Gather table:BFLOAT16,ids > Gather_0:BFLOAT16',
    'Cast Gather_0:BFLOAT16 > Gather_0',
    'MatMul Gather_0,matrix > MatMul_1',
    'Add MatMul_1,bias > Add_2',
    'Gather computed:positions,ids > Gather_3',
    'Add Add_2,Gather_3 > Add_4',
    'Identity Add_4 > y',
  ]);
});

test('a weight that the type has no room for is refused by name when it is written', () => {
  const [stored] = narrowWeights(graphOf(1e6), 'FLOAT16').constants;
  if (stored === undefined || !('bytePieces' in stored)) throw new Error('expected a stored weight');
  expect(() => [...stored.bytePieces()]).toThrow("weight 'table' holds numbers that float16 has no room for");
});
