import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Encoding } from '../../src/contracts/tokenizer.ts';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

interface GoldenOutput {
  readonly model_output?: 'raw' | 'normalized';
  readonly raw?: readonly (readonly number[])[];
  readonly normalized?: readonly (readonly number[])[];
  readonly logits?: readonly (readonly number[])[];
}

interface GoldenCase {
  readonly id: string;
  readonly token_ids: readonly (readonly number[])[];
  readonly token_type_ids: readonly (readonly number[])[];
  readonly output: GoldenOutput;
}

interface Golden {
  readonly task: string;
  readonly tolerance_tight: number;
  readonly cases: readonly GoldenCase[];
}

/** Noise between runs of other shapes; the product promises 1e-6. */
const NEIGHBOUR_TOLERANCE = 1e-6;

function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`public/${name}/expected.json`, import.meta.url), 'utf8'));
}

function expectedRows({ output }: GoldenCase): readonly (readonly number[])[] {
  return output.logits ?? output[output.model_output ?? 'raw'] ?? [];
}

function encodingsOf({ token_ids, token_type_ids }: GoldenCase): readonly Encoding[] {
  return token_ids.map((ids, index) => ({
    ids: Int32Array.from(ids),
    typeIds: Int32Array.from(token_type_ids[index] ?? []),
  }));
}

function indicesByLength(items: readonly Encoding[]): readonly (readonly number[])[] {
  const lengths = [...new Set(items.map(({ ids }) => ids.length))];
  return lengths.map((length) => [...items.keys()].filter((index) => items[index]?.ids.length === length));
}

const UNREAD: Readonly<Record<string, readonly string[]>> = {
  'bert-cls-norm': ['pooler.dense.bias', 'pooler.dense.weight'],
  'bert-mean': ['bert.pooler.dense.bias', 'bert.pooler.dense.weight'],
  'bert-reranker': [],
};

describe.each(Object.entries(UNREAD))('%s', (name, unread) => {
  const golden = readGolden(name);
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden(`public/${name}/model`);
  });
  afterAll(() => model.close());

  test('is recognised as what it is for', () => {
    expect(model.compiled.task).toBe(golden.task);
  });

  test('every tensor is read but the pooler that nothing uses', () => {
    expect(model.compiled.unreadTensors).toEqual(unread);
  });

  test.each(golden.cases)('each item of $id alone equals the reference', async (goldenCase) => {
    const rows: Float32Array[] = [];
    for (const item of encodingsOf(goldenCase)) rows.push(...(await model.run([item])));
    expect(maxDifference(rows, expectedRows(goldenCase))).toBeLessThanOrEqual(golden.tolerance_tight);
  });

  test('all items in runs of one length equal the reference, and themselves alone', async () => {
    const items = golden.cases.flatMap((goldenCase) => encodingsOf(goldenCase));
    const expected = golden.cases.flatMap((goldenCase) => expectedRows(goldenCase));
    let worst = 0;
    let worstBeside = 0;
    for (const indices of indicesByLength(items)) {
      const chosen = indices.flatMap((index) => items[index] ?? []);
      const together = await model.run(chosen);
      const reference = indices.map((index) => expected[index] ?? []);
      worst = Math.max(worst, maxDifference(together, reference));
      const alone: number[][] = [];
      for (const item of chosen) alone.push(...(await model.run([item])).map((row) => [...row]));
      worstBeside = Math.max(worstBeside, maxDifference(together, alone));
    }
    console.log(`${name}: max difference ${worst.toExponential(2)}, beside others ${worstBeside.toExponential(2)}`);
    expect(worst).toBeLessThanOrEqual(golden.tolerance_tight);
    expect(worstBeside).toBeLessThanOrEqual(NEIGHBOUR_TOLERANCE);
  });
});

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
