import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ModelModule } from '../../src/contracts/model-folder.ts';
import { compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

interface Traced {
  readonly tolerance_tight: number;
  readonly trace: {
    readonly token_ids: readonly number[];
    readonly last_hidden_state: readonly (readonly number[])[];
  };
}

function pooledBy(pooling_mode: string): readonly ModelModule[] {
  return [
    { type: 'Transformer', path: '', config: undefined },
    { type: 'Pooling', path: '1_Pooling', config: { pooling_mode } },
  ];
}

/** A model whose last layer computes one token only gives what the reference has for that token among all. */
export function testOneTokenAlone(name: string): void {
  test.each([
    ['cls', 0],
    ['lasttoken', -1],
  ])(`${name}: the token of pooling mode %s alone equals the reference's`, async (mode, index) => {
    const text = readFileSync(new URL(`public/${name}/expected.json`, import.meta.url), 'utf8');
    const { trace, tolerance_tight }: Traced = JSON.parse(text);
    const ids = Int32Array.from(trace.token_ids);
    const model = await compileGolden(`public/${name}/model`, { modules: pooledBy(mode) });
    try {
      const rows = await model.run([{ ids, typeIds: new Int32Array(ids.length) }]);
      expect(maxDifference(rows, [trace.last_hidden_state.at(index) ?? []])).toBeLessThanOrEqual(tolerance_tight);
    } finally {
      await model.close();
    }
  });
}
