import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { describeGolden } from './describe-golden.ts';
import { encodingsOf, expectedRows, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

describeGolden('qwen2-embed', { task: 'embed' });
describeGolden('qwen2-bidirectional', { task: 'embed' });
describeGolden('qwen2-classify', { task: 'classify' });
describeGolden('qwen3-embed', { task: 'embed' });
describeGolden('qwen3-seqcls-reranker', { task: 'rerank' });
describeGolden('qwen3-yarn', { task: 'embed' });
describeGolden('llama-embed', { task: 'embed' });
describeGolden('mistral-embed', { task: 'embed' });
describeGolden('gemma2-embed', { task: 'embed' });
describeGolden('gemma3-embed', { task: 'embed' });

interface NextTokenReference {
  readonly tolerance_tight: number;
  readonly cases: readonly {
    readonly token_ids: readonly (readonly number[])[];
    readonly output: { readonly logit_difference: readonly number[] };
  }[];
}

describe.each(['qwen2-reranker', 'qwen3-reranker'])('%s', (name) => {
  const golden: NextTokenReference = JSON.parse(
    readFileSync(new URL(`public/${name}/expected.json`, import.meta.url), 'utf8'),
  );
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden(`public/${name}/model`);
  });
  afterAll(() => model.close());

  test('is recognised as a reranker with one logit, and every tensor is read', () => {
    expect(model.compiled.tasks).toEqual(['rerank']);
    expect(model.compiled.outputs).toEqual([expect.objectContaining({ role: 'logits', per: 'item', width: 1 })]);
    expect(model.compiled.classification).toEqual({ labels: ['yes'], scoreFunction: 'sigmoid' });
    expect(model.compiled.unreadTensors).toEqual([]);
  });

  test('the answer yes scores against no as in the reference, alone and beside others', async () => {
    const items = golden.cases.flatMap(({ token_ids, output }) =>
      token_ids.map((ids, index) => ({ ids: Int32Array.from(ids), expected: output.logit_difference[index] })),
    );
    let worst = 0;
    for (const { ids, expected } of items) {
      const encoding = { ids, typeIds: new Int32Array(ids.length) };
      const twin = { ids: ids.toReversed(), typeIds: encoding.typeIds };
      const rows = [...(await model.run([encoding])), ...(await model.run([twin, encoding])).slice(1)];
      worst = Math.max(worst, maxDifference(rows, [[expected ?? Number.NaN], [expected ?? Number.NaN]]));
    }
    console.log(`${name}: max difference ${worst.toExponential(2)} over ${items.length} pairs`);
    expect(worst).toBeLessThanOrEqual(golden.tolerance_tight);
  });
});

/** Ends a text with the token that the config calls padding: the reference then looks at the token before it. */
test('a classifier skips the padding token where a text ends with it', async () => {
  const { cases } = readGolden('qwen2-classify');
  const [goldenCase] = cases;
  if (goldenCase === undefined) throw new Error('expected a case');
  const [item] = encodingsOf(goldenCase);
  const model = await compileGolden('public/qwen2-classify/model');
  onTestFinished(() => model.close());
  const padding = Number(model.folder.config.pad_token_id);
  const ids = Int32Array.from([...(item?.ids ?? []), padding, padding]);
  const rows = await model.run([{ ids, typeIds: new Int32Array(ids.length) }]);
  expect(maxDifference(rows, expectedRows(goldenCase))).toBeLessThanOrEqual(1e-5);
});
