import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { StoredPrecision } from '../../src/compiler/compile-model.ts';
import { actualRow, expectedRowsOf } from './comparable-rows.ts';
import { compileGolden } from './compiled-golden.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

/** Their reference is of another form. */
const SCORED_BY_THE_NEXT_TOKEN = ['qwen2-reranker', 'qwen3-reranker'];

/**
 * Rounding a weight moves it by up to 2^-11 of its size, and what all of them together move is in proportion to the output.
 * Logits and sparse weights are small differences of large sums.
 */
const TIMES_THE_TOLERANCE = { embed: 12, colbert: 12, rerank: 50, classify: 50, sparse: 50 };

const names = readdirSync(new URL('public', import.meta.url))
  .filter((name) => !SCORED_BY_THE_NEXT_TOKEN.includes(name))
  .filter((name) => readGolden(name).task in TIMES_THE_TOLERANCE);

interface Difference {
  readonly worst: number;
  /** The largest number of the reference, at least 1. */
  readonly largest: number;
}

/** How far the outputs of one model are from its reference, over a short and an odd text. */
async function differenceOf(name: string, precision: StoredPrecision): Promise<Difference> {
  const { cases } = readGolden(name);
  const model = await compileGolden(`public/${name}/model`, {}, 'auto', precision);
  onTestFinished(() => model.close());
  expect(model.compiled.precision).toBe(precision);
  let worst = 0;
  let largest = 1;
  for (const goldenCase of [cases[0], cases.at(-1)]) {
    if (goldenCase === undefined) continue;
    for (const [index, item] of encodingsOf(goldenCase).entries()) {
      const [rows = []] = await model.runAll([item]);
      const row = actualRow(model.compiled, goldenCase, rows, item.ids);
      const expected = expectedRowsOf(model.compiled, goldenCase)[index] ?? [];
      worst = Math.max(worst, maxDifference([row], [expected]));
      largest = Math.max(largest, ...expected.map(Math.abs));
    }
  }
  return { worst, largest };
}

test.each(names)('%s with weights in float16 stays near its reference', async (name) => {
  const { worst, largest } = await differenceOf(name, 'float16');
  const { task, tolerance } = readGolden(name);
  console.log(`${name}: ${worst.toExponential(1)} in float16, of numbers up to ${largest.toFixed(1)}`);
  const times = Object.entries(TIMES_THE_TOLERANCE).find(([each]) => each === task)?.[1] ?? 0;
  expect(worst).toBeLessThanOrEqual(times * tolerance * largest);
});

test('weights that came from float16 or bfloat16 lose nothing in the same type', async () => {
  for (const [name, precision] of [
    ['bert-weightedmean', 'bfloat16'],
    ['qwen3-embed', 'bfloat16'],
    ['gte-embed', 'float16'],
    ['mistral-embed', 'float16'],
  ] as const) {
    const { worst } = await differenceOf(name, precision);
    expect(worst).toBeLessThanOrEqual(readGolden(name).tolerance_tight);
  }
});
