import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

const TOLERANCE = 1e-5;

interface ConfigCase {
  readonly ids: readonly number[];
  readonly type_ids: readonly number[];
  readonly output: readonly number[];
}

// Configs that the models of public/ do not have; configs/make.py says what is unusual in each.
describe.each([
  ['roberta', 46],
  ['distilbert', 50],
  ['mpnet', 200],
  ['albert', 50],
  ['electra', 50],
  ['roberta-splade', 49],
  ['albert-splade', 50],
  ['electra-splade', 50],
  ['mpnet-splade', 48],
  ['modernbert-splade', 50],
])('%s with an unusual config', (name, maxPositions) => {
  const { cases }: { readonly cases: readonly ConfigCase[] } = JSON.parse(
    readFileSync(new URL(`configs/${name}/expected.json`, import.meta.url), 'utf8'),
  );
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden(`configs/${name}`);
  });
  afterAll(() => model?.close());

  test('every tensor is read, and the longest sequence known', () => {
    expect(model.compiled.unreadTensors).toEqual([]);
    expect(model.compiled.maxPositions).toBe(maxPositions);
  });

  test.each(cases)('the output for $ids.length tokens equals the reference', async ({ ids, type_ids, output }) => {
    const rows = await model.run([{ ids: Int32Array.from(ids), typeIds: Int32Array.from(type_ids) }]);
    expect(maxDifference(rows, [output])).toBeLessThanOrEqual(TOLERANCE);
  });

  test('the longest sequence fills the model', () => {
    expect(Math.max(...cases.map(({ ids }) => ids.length))).toBe(maxPositions);
  });
});
