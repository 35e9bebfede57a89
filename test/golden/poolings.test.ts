import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/contracts/json.ts';
import { compileGolden } from './compiled-golden.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

const encodings = readGolden('bert-max').cases.flatMap(encodingsOf).slice(0, 4);

/** The rows of each text, with a Pooling of this config and nothing after it. */
async function pooled(config: JsonObject) {
  const transformer = { type: 'Transformer', path: '', config: undefined };
  const model = await compileGolden('public/bert-max/model', {
    modules: [transformer, { type: 'Pooling', path: '1_Pooling', config }],
  });
  onTestFinished(() => model.close());
  const rows: number[][] = [];
  for (const item of encodings) rows.push(...(await model.run([item])).map((row) => [...row]));
  return rows;
}

const close = (actual: readonly number[][], expected: readonly number[][]) =>
  expect(
    maxDifference(
      actual.map((row) => Float32Array.from(row)),
      expected,
    ),
  ).toBeLessThanOrEqual(1e-5);

test('mean_sqrt_len_tokens is the mean times the square root of the number of tokens', async () => {
  const means = await pooled({ pooling_mode: 'mean' });
  close(
    await pooled({ pooling_mode: 'mean_sqrt_len_tokens' }),
    means.map((row, index) => row.map((number) => number * Math.sqrt(encodings[index]?.ids.length ?? 0))),
  );
});

test('several modes are concatenated in the order of the reference, whatever order the config has', async () => {
  const modes = ['cls', 'max', 'mean', 'mean_sqrt_len_tokens', 'weightedmean', 'lasttoken'];
  const parts: number[][][] = [];
  for (const mode of modes) parts.push(await pooled({ pooling_mode: mode }));
  close(
    await pooled({ pooling_mode: modes.toReversed() }),
    encodings.map((_, item) => parts.flatMap((part) => part[item] ?? [])),
  );
});

test('the first and the last token alone are those among all tokens', async () => {
  const [first, last] = [await pooled({ pooling_mode: 'cls' }), await pooled({ pooling_mode: 'lasttoken' })];
  close(
    await pooled({ pooling_mode: ['cls', 'lasttoken'] }),
    first.map((row, item) => [...row, ...(last[item] ?? [])]),
  );
});
