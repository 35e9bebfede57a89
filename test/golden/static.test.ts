import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { staticEmbedding } from '../../src/compiler/architectures/static-embedding.ts';
import type { ModelFolder } from '../../src/contracts/model-folder.ts';
import { createTokenizer } from '../../src/tokenization/create-tokenizer.ts';
import { fakeModelFolder } from '../fakes/model-folder.ts';
import { compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

const TOLERANCE = 1e-6;

interface StaticCase {
  readonly id: string;
  readonly inputs: { readonly texts: readonly string[] };
  readonly token_ids: readonly (readonly number[])[];
  readonly output: { readonly raw: readonly number[][]; readonly normalized: readonly number[][]; model_output: 'raw' };
  readonly model2vec?: { readonly token_ids: readonly (readonly number[])[]; readonly normalized: readonly number[][] };
}

const readJson = <T>(relative: string): T => JSON.parse(readFileSync(new URL(relative, import.meta.url), 'utf8'));

/** Texts to vectors, by the tokenizer of the folder and its graph. */
async function openStatic(relative: string, changes: Partial<ModelFolder> = {}) {
  const model = await compileGolden(relative, changes);
  onTestFinished(() => model.close());
  const tokenizer = await createTokenizer(model.folder, model.compiled);
  const emptyTextId = model.compiled.staticTokens?.emptyTextId ?? Number.NaN;
  return {
    idsOf: async (texts: readonly string[]) => (await tokenizer.encode(texts)).map(({ ids }) => [...ids]),
    async vectorsOf(texts: readonly string[]) {
      const rows: Float32Array[] = [];
      for (const item of await tokenizer.encode(texts)) rows.push(...(await model.run([item])));
      return rows;
    },
    /** What stands for a text without tokens. */
    marked: (rows: readonly (readonly number[])[]) => rows.map((ids) => (ids.length === 0 ? [emptyTextId] : ids)),
    maxSequenceLength: tokenizer.maxSequenceLength,
  };
}

describe.each(['static-st', 'static-model2vec'])('%s as sentence-transformers computes it', (name) => {
  const { cases } = readJson<{ readonly cases: readonly StaticCase[] }>(`public/${name}/expected.json`);

  test('ids and vectors of all texts equal the reference, those without tokens the zero vector', async () => {
    const model = await openStatic(`public/${name}/model`);
    for (const { inputs, token_ids: tokenIds, output } of cases) {
      expect(await model.idsOf(inputs.texts)).toEqual(model.marked(tokenIds));
      expect(maxDifference(await model.vectorsOf(inputs.texts), output[output.model_output])).toBeLessThanOrEqual(
        TOLERANCE,
      );
    }
    const empty = await model.vectorsOf(['']);
    expect(new Set(empty[0])).toEqual(new Set([0]));
  });
});

describe('a folder of model2vec without modules.json', () => {
  const { cases } = readJson<{ readonly cases: readonly StaticCase[] }>('public/static-model2vec/expected.json');

  test('loses its unknown tokens, as model2vec drops them', async () => {
    const model = await openStatic('public/static-model2vec/model', { modules: [] });
    expect(model.maxSequenceLength).toBe(512);
    for (const { id, inputs, model2vec } of cases) {
      // The reference's `long` was made without the cut by characters, which comes before tokenization.
      if (id === 'long' || model2vec === undefined) continue;
      expect(await model.idsOf(inputs.texts)).toEqual(model.marked(model2vec.token_ids));
      expect(maxDifference(await model.vectorsOf(inputs.texts), model2vec.normalized)).toBeLessThanOrEqual(TOLERANCE);
    }
  });
});

// configs/make_static.py says what is unusual in each.
describe.each([
  ['static-model2vec', 9],
  ['static-truncated', 5],
])('configs/%s', (name, maxSequenceLength) => {
  const { cases } = readJson<{ readonly cases: readonly { text: string; output: number[] }[] }>(
    `configs/${name}/expected.json`,
  );

  test('the vectors of all texts equal the reference', async () => {
    const model = await openStatic(`configs/${name}`);
    expect(model.maxSequenceLength).toBe(maxSequenceLength);
    const vectors = await model.vectorsOf(cases.map(({ text }) => text));
    const worst = maxDifference(
      vectors,
      cases.map(({ output }) => output),
    );
    console.log(`${name}: max difference ${worst.toExponential(2)}`);
    expect(worst).toBeLessThanOrEqual(TOLERANCE);
  });

  test('every tensor is read', async () => {
    const model = await compileGolden(`configs/${name}`);
    onTestFinished(() => model.close());
    expect(model.compiled.unreadTensors).toEqual([]);
  });
});

test('a model2vec whose tokens share rows is refused by name', () => {
  const tensors = new Map(Object.entries({ embeddings: { dims: [4, 2] }, mapping: { dims: [9] } }));
  expect(() => staticEmbedding(fakeModelFolder({ config: { model_type: 'model2vec' } }), tensors)).toThrow(
    /its tensor 'mapping' shares rows among tokens, expected a row for each token/,
  );
});
