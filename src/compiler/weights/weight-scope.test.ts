import { describe, expect, test } from 'vitest';
import type { CheckpointTensor } from '../../formats/checkpoint.ts';
import { WeightScope } from './weight-scope.ts';

function checkpoint(shapes: Readonly<Record<string, readonly number[]>>, dtype = 'F32') {
  const entries = Object.entries(shapes).map(([name, dims]): [string, CheckpointTensor] => [
    name,
    { name, dims, dtype, fileName: 'model.safetensors', chunks: () => [] },
  ]);
  return new Map(entries);
}

test('reads a tensor below a path, with its shape', () => {
  const w = new WeightScope(checkpoint({ 'encoder.layer.0.weight': [2, 3] }));
  expect(w.at('encoder').at('layer.0').read('weight', [2, 3])).toMatchObject({
    name: 'encoder.layer.0.weight',
    dims: [2, 3],
  });
});

test.each([
  ['a dimension differs', [3, 2]],
  ['a dimension is missing', [2]],
  ['a dimension is too many', [2, 3, 1]],
])('it is refused when %s', (_what, expected) => {
  const w = new WeightScope(checkpoint({ 'a.weight': [2, 3] })).at('a');
  expect(() => w.read('weight', expected)).toThrow(
    `model.safetensors: tensor 'a.weight' has shape [2, 3], expected [${expected.join(', ')}]`,
  );
});

test('a missing tensor is named with the shape expected', () => {
  const w = new WeightScope(checkpoint({}));
  expect(() => w.at('a').read('bias', [4])).toThrow(
    expect.objectContaining({
      code: 'invalid_checkpoint',
      message: "the checkpoint has no tensor 'a.bias', expected [4]",
    }),
  );
});

test('numbers that are no floats are refused by type', () => {
  const w = new WeightScope(checkpoint({ a: [1] }, 'I8'));
  expect(() => w.read('a', [1])).toThrow(/tensor 'a' has dtype I8, expected one of F32, F16, BF16, F64/);
});

test('all scopes of a checkpoint share what was read', () => {
  const w = new WeightScope(checkpoint({ 'a.x': [1], 'a.y': [1], 'a.z': [1], b: [1] }));
  w.at('a').read('x', [1]);
  w.rootedAt('x').read('y', [1]);
  w.at('a').ignore('z');
  w.at('a').ignore('never there');
  expect(w.unread()).toEqual(['b']);
});

describe('the prefix of a body', () => {
  test.each([
    ['embeddings.weight', ''],
    ['bert.embeddings.weight', 'bert.'],
    ['model.bert.embeddings.weight', 'model.bert.'],
  ])('%s has prefix %j', (name, prefix) => {
    const w = new WeightScope(checkpoint({ [name]: [1], [`${prefix}layer.bias`]: [2] }));
    expect(w.rootedAt('embeddings.weight').read('layer.bias', [2]).name).toBe(`${prefix}layer.bias`);
  });

  test('a name that only ends like the anchor is another tensor', () => {
    const w = new WeightScope(checkpoint({ 'other_embeddings.weight': [1] }));
    expect(() => w.rootedAt('embeddings.weight')).toThrow(
      /has no tensor 'embeddings\.weight', with or without a prefix/,
    );
  });

  test('two bodies are refused with both names', () => {
    const w = new WeightScope(checkpoint({ 'a.embeddings.weight': [1], 'b.embeddings.weight': [1] }));
    expect(() => w.rootedAt('embeddings.weight')).toThrow(/'a\.embeddings\.weight', 'b\.embeddings\.weight'/);
  });
});
