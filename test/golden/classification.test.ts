import { describe, expect, onTestFinished, test } from 'vitest';
import { labelScores } from '../../src/engine/label-scores.ts';
import { compileGolden } from './compiled-golden.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';

describe.each([
  ['bert-multilabel', ['classify']],
  ['roberta-classify', ['classify']],
  ['roberta-regression', ['rerank', 'classify']],
])('%s', (name, tasks) => {
  test('every score and the order of the labels equal the reference', async () => {
    const golden = readGolden(name);
    const model = await compileGolden(`public/${name}/model`);
    onTestFinished(() => model.close());
    expect(model.compiled.tasks).toEqual(tasks);
    const { labels, scoreFunction } = model.compiled.classification ?? { labels: [], scoreFunction: 'none' };
    for (const goldenCase of golden.cases) {
      for (const [index, item] of encodingsOf(goldenCase).entries()) {
        const [row = new Float32Array()] = await model.run([item]);
        const scores = labelScores(row, labels, scoreFunction);
        expect(scores.map(({ label }) => label)).toEqual(goldenCase.output.sorted_labels?.[index]);
        for (const { label, score } of scores) {
          const expected = goldenCase.output.scores?.[index]?.[label] ?? Number.NaN;
          expect(Math.abs(score - expected)).toBeLessThanOrEqual(golden.tolerance_tight);
        }
      }
    }
  });
});
