import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { bert } from '../architectures/bert.ts';
import { GraphBuilder } from '../graph/graph-builder.ts';
import { WeightScope } from '../weights/weight-scope.ts';
import { pooledEmbedding } from './pooled-embedding.ts';

const model = bert.configure({ hidden_size: 32, num_attention_heads: 4 });
const transformer = { type: 'Transformer', path: '', config: undefined };
const pooling = { type: 'Pooling', path: '1_Pooling', config: { pooling_mode: 'cls' } };
const normalize = { type: 'Normalize', path: '2_Normalize', config: undefined };

function operatorsOf(modules: readonly (typeof transformer | typeof pooling)[]) {
  const head = pooledEmbedding(fakeModelFolder({ modules }), model, new Map());
  const g = new GraphBuilder();
  const w = new WeightScope(new Map());
  const [result] = head.apply(g, w, w, g.input('hidden', 'FLOAT', ['batch', 'sequence', 32]));
  expect(result?.dims).toEqual(['batch', 32]);
  return { wanted: head.wantedTokens, operators: g.build().nodes.map(({ operator }) => operator) };
}

test.each([
  ['CLS and Normalize', [transformer, pooling, normalize], 'first', ['Slice', 'Squeeze', 'LpNormalization']],
  ['CLS alone', [transformer, pooling], 'first', ['Slice', 'Squeeze']],
  ['no modules.json: the mean, not normalised', [], 'all', ['ReduceMean']],
])('%s', (_what, modules, wanted, operators) => {
  expect(operatorsOf(modules)).toEqual({ wanted, operators });
});

test.each([
  ['no Pooling', [transformer], /lists Transformer, expected Transformer, Pooling and perhaps Dense and Normalize/],
  ['another order', [transformer, normalize, pooling], /lists Transformer, Normalize, Pooling/],
  [
    'an unknown module',
    [transformer, pooling, { ...normalize, type: 'CNN' }],
    /lists CNN after the Transformer, expected/,
  ],
  [
    'a module that reads something else',
    [transformer, pooling, { ...normalize, config: { module_input_name: 'other' } }],
    /2_Normalize\/config\.json: module_input_name is "other", expected 'sentence_embedding'/,
  ],
  [
    'a Transformer in a folder of its own',
    [{ ...transformer, path: '0_Transformer' }, pooling],
    /puts the Transformer into '0_Transformer', expected the model folder itself/,
  ],
])('%s is refused', (_what, modules, message) => {
  const folder = fakeModelFolder({ modules });
  expect(() => pooledEmbedding(folder, model, new Map())).toThrow(message);
  expect(() => pooledEmbedding(folder, model, new Map())).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture' }),
  );
});
