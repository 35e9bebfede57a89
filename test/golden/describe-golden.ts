import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoding } from '../../src/contracts/tokenizer.ts';
import { actualRow, expectedRowsOf } from './comparable-rows.ts';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { expectSameBesideOthers } from './expect-same-beside-others.ts';
import { encodingsOf, type GoldenCase, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

export interface GoldenOptions {
  /** What the compiler takes the model for; it may find that the model can do more. */
  readonly task: string;
  /** Tensors of the checkpoint that the model has no use for. */
  readonly unread?: readonly string[];
}

function indicesByLength(items: readonly Encoding[]): readonly (readonly number[])[] {
  const lengths = [...new Set(items.map(({ ids }) => ids.length))];
  return lengths.map((length) => [...items.keys()].filter((index) => items[index]?.ids.length === length));
}

interface GoldenItem {
  readonly goldenCase: GoldenCase;
  readonly encoding: Encoding;
}

async function rowsOf({ compiled, runAll }: CompiledGolden, items: readonly GoldenItem[]) {
  const found = await runAll(items.map(({ encoding }) => encoding));
  return items.map(({ goldenCase, encoding }, index) =>
    actualRow(compiled, goldenCase, found[index] ?? [], encoding.ids),
  );
}

const itemsOf = (goldenCase: GoldenCase): readonly GoldenItem[] =>
  encodingsOf(goldenCase).map((encoding) => ({ goldenCase, encoding }));

/** Compiles one golden model and holds it to its reference: each item alone, and all in runs of one length. */
export function describeGolden(name: string, { task, unread = [] }: GoldenOptions): void {
  describe(name, () => {
    const golden = readGolden(name);
    let model: CompiledGolden;

    beforeAll(async () => {
      model = await compileGolden(`public/${name}/model`);
    });
    afterAll(() => model?.close());

    test('is recognised as what it is for', () => {
      expect(model.compiled.tasks).toContain(task);
    });

    test(`every tensor is read${unread.length === 0 ? '' : ' but those that nothing uses'}`, () => {
      expect([...model.compiled.unreadTensors].sort()).toEqual([...unread].sort());
    });

    test.each(golden.cases)('each item of $id alone equals the reference', async (goldenCase) => {
      const rows: Float32Array[] = [];
      for (const item of itemsOf(goldenCase)) rows.push(...(await rowsOf(model, [item])));
      expect(maxDifference(rows, expectedRowsOf(model.compiled, goldenCase))).toBeLessThanOrEqual(
        golden.tolerance_tight,
      );
    });

    test('all items in runs of one length equal the reference, and themselves alone, in any order', async () => {
      const items = golden.cases.flatMap(itemsOf);
      const expected = golden.cases.flatMap((goldenCase) => expectedRowsOf(model.compiled, goldenCase));
      let worst = 0;
      let worstBeside = 0;
      for (const indices of indicesByLength(items.map(({ encoding }) => encoding))) {
        const chosen = indices.flatMap((index) => items[index] ?? []);
        const references = indices.map((index) => expected[index] ?? []);
        worst = Math.max(worst, maxDifference(await rowsOf(model, chosen), references));
        worstBeside = Math.max(worstBeside, await expectSameBesideOthers((run) => rowsOf(model, run), chosen));
      }
      console.log(`${name}: max difference ${worst.toExponential(2)}, beside others ${worstBeside.toExponential(2)}`);
      expect(worst).toBeLessThanOrEqual(golden.tolerance_tight);
    });
  });
}
