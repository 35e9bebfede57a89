import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

const TOLERANCE = 1e-5;
const MAX_POSITIONS = 50;

interface ConfigCase {
  readonly ids: readonly number[];
  readonly type_ids: readonly number[];
  readonly output: readonly number[];
}

// Configs that the models of public/ do not have; configs/make_positional.py says what is unusual in each.
describe.each([
  'deberta-own-keys',
  'deberta-c2p',
  'deberta-p2c',
  'deberta-content-only',
  'modernbert-layers',
  'nomic-native',
  'gte-native',
  'nomic-half',
  'nomic-absolute',
  'nomic-dynamic',
  'nomic-experts',
  'new-apart',
  'new-absolute',
])('%s with an unusual config', (name) => {
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
    expect(model.compiled.maxPositions).toBe(MAX_POSITIONS);
  });

  test.each(cases)('the output for $ids.length tokens equals the reference', async ({ ids, type_ids, output }) => {
    const rows = await model.run([{ ids: Int32Array.from(ids), typeIds: Int32Array.from(type_ids) }]);
    expect(maxDifference(rows, [output])).toBeLessThanOrEqual(TOLERANCE);
  });

  test('the longest sequence fills the model', () => {
    expect(Math.max(...cases.map(({ ids }) => ids.length))).toBe(MAX_POSITIONS);
  });
});
