import { expect, onTestFinished, test } from 'vitest';
import { compileGolden } from './compiled-golden.ts';
import { describeGolden } from './describe-golden.ts';
import { encodingsOf, expectedRows, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

describeGolden('bert-cls-norm', { task: 'embed', unread: ['pooler.dense.bias', 'pooler.dense.weight'] });
describeGolden('bert-mean', { task: 'embed', unread: ['bert.pooler.dense.bias', 'bert.pooler.dense.weight'] });
describeGolden('bert-reranker', { task: 'rerank' });
describeGolden('bert-multilabel', { task: 'classify' });

test('a model that is given no token types computes what type 0 everywhere gives', async () => {
  const golden = readGolden('bert-cls-norm');
  const model = await compileGolden('public/bert-cls-norm/model', {
    tokenizerConfig: { model_input_names: ['input_ids', 'attention_mask'] },
  });
  onTestFinished(() => model.close());
  expect(model.compiled.inputs).toHaveLength(1);
  for (const goldenCase of golden.cases) {
    for (const [index, item] of encodingsOf(goldenCase).entries()) {
      const difference = maxDifference(await model.run([item]), [expectedRows(goldenCase)[index] ?? []]);
      expect(difference).toBeLessThanOrEqual(golden.tolerance_tight);
    }
  }
});

test('without the Normalize module the vectors are the raw ones', async () => {
  const golden = readGolden('bert-mean');
  const model = await compileGolden('public/bert-mean/model', { modules: [] });
  onTestFinished(() => model.close());
  const [first] = golden.cases;
  if (first === undefined) throw new Error('expected a case');
  expect(maxDifference(await model.run(encodingsOf(first)), first.output.raw ?? [])).toBeLessThanOrEqual(
    golden.tolerance_tight,
  );
});
