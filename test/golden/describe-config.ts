import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { expectSameBesideOthers } from './expect-same-beside-others.ts';
import { maxDifference } from './max-difference.ts';

const TOLERANCE = 1e-5;

interface ConfigCase {
  readonly ids: readonly number[];
  readonly type_ids: readonly number[];
  readonly output: readonly number[];
}

const encodingOf = ({ ids, type_ids: typeIds }: ConfigCase) => ({
  ids: Int32Array.from(ids),
  typeIds: Int32Array.from(typeIds),
});

/** Holds a model of `configs/` to its reference, in all lengths up to its longest. */
export function describeConfig(name: string, maxPositions: number): void {
  describe(`configs/${name}`, () => {
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

    test.each(cases)('the output for $ids.length tokens equals the reference', async (each) => {
      expect(maxDifference(await model.run([encodingOf(each)]), [each.output])).toBeLessThanOrEqual(TOLERANCE);
    });

    test.each(cases)('$ids.length tokens give the same beside others, in any order', async (each) => {
      const item = encodingOf(each);
      const other = { ids: item.ids.toReversed(), typeIds: item.typeIds.toReversed() };
      await expectSameBesideOthers(model.run, [item, other, item]);
    });

    test('the longest sequence fills the model', () => {
      expect(Math.max(...cases.map(({ ids }) => ids.length))).toBe(maxPositions);
    });
  });
}
