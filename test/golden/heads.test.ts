import { expect, onTestFinished, test } from 'vitest';
import { compileGolden } from './compiled-golden.ts';
import { describeGolden } from './describe-golden.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

const POOLER = ['pooler.dense.bias', 'pooler.dense.weight'];

describeGolden('bert-max', { task: 'embed', unread: POOLER });
describeGolden('bert-weightedmean', { task: 'embed', unread: POOLER });
describeGolden('bert-lasttoken', { task: 'embed', unread: POOLER });
describeGolden('bert-dense-tanh', { task: 'embed', unread: POOLER });
describeGolden('bert-splade', { task: 'sparse' });
describeGolden('distilbert-splade', { task: 'sparse' });
describeGolden('colbert-hf', { task: 'colbert', unread: POOLER.map((name) => `bert.${name}`) });
describeGolden('colbert-pylate', { task: 'colbert', unread: POOLER });
describeGolden('bge-m3', { task: 'colbert', unread: POOLER });
describeGolden('static-st', { task: 'embed' });
describeGolden('static-model2vec', { task: 'embed' });
describeGolden('st6-embed', { task: 'embed', unread: POOLER });
describeGolden('st6-reranker', { task: 'rerank' });

test('BGE-M3 gives every token its weight, and none a negative one', async () => {
  const golden = readGolden('bge-m3');
  const model = await compileGolden('public/bge-m3/model');
  onTestFinished(() => model.close());
  expect(model.compiled.tasks).toEqual(['embed', 'sparse', 'colbert']);
  const position = model.compiled.outputs.findIndex(({ role }) => role === 'sparse');
  for (const goldenCase of golden.cases) {
    for (const [index, item] of encodingsOf(goldenCase).entries()) {
      const rows = (await model.runAll([item])).flatMap((outputs) => outputs[position] ?? []);
      const expected = goldenCase.output.token_weights?.[index] ?? [];
      expect(maxDifference(rows, [expected])).toBeLessThanOrEqual(golden.tolerance_tight);
    }
  }
});
