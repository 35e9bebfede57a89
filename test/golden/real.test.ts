import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoding } from '../../src/contracts/tokenizer.ts';
import { openTokenizer } from '../../src/tokenization/open-tokenizer.ts';
import { type CompiledGolden, compileGolden } from './compiled-golden.ts';
import { maxDifference } from './max-difference.ts';

const EMBEDDING_TOLERANCE = 1e-4;
const LOGIT_TOLERANCE = 1e-3;

interface EmbeddingReference {
  readonly cases: readonly {
    readonly text: string;
    readonly token_ids: readonly number[];
    readonly embedding: readonly number[];
  }[];
}

interface RerankReference {
  readonly cases: readonly {
    readonly query: string;
    readonly documents: readonly { readonly document: string; readonly token_count: number; readonly logit: number }[];
  }[];
}

interface SparseReference {
  readonly tolerance: number;
  readonly cases: readonly { readonly text: string; readonly sparse: Readonly<Record<string, number>> }[];
}

/** Too large for this repository; beside it where the references are made. */
const SPLADE = '../../../shared/models/splade-tiny';
const hasSplade = existsSync(new URL(SPLADE, import.meta.url));

function readReference<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`real/${name}.json`, import.meta.url), 'utf8'));
}

describe('bge-small-en-v1.5', () => {
  const { cases } = readReference<EmbeddingReference>('bge-small-en-v1.5');
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden('../../models/bge-small-en-v1.5');
  });
  afterAll(() => model.close());

  test('every embedding equals the reference', async () => {
    let worst = 0;
    for (const { token_ids: tokenIds, embedding } of cases) {
      const ids = Int32Array.from(tokenIds);
      const rows = await model.run([{ ids, typeIds: new Int32Array(ids.length) }]);
      worst = Math.max(worst, maxDifference(rows, [embedding]));
    }
    console.log(`bge-small-en-v1.5: max difference ${worst.toExponential(2)} over ${cases.length} texts`);
    expect(worst).toBeLessThanOrEqual(EMBEDDING_TOLERANCE);
  });

  test('every tensor is read', () => {
    expect(model.compiled.unreadTensors).toEqual([]);
  });
});

describe('ms-marco-MiniLM-L-12-v2', () => {
  const { cases } = readReference<RerankReference>('ms-marco-MiniLM-L-12-v2');
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden('../../models/ms-marco-MiniLM-L-12-v2');
  });
  afterAll(() => model.close());

  test('every token count and logit equals the reference', async () => {
    const tokenizer = await openTokenizer(model.folder, model.compiled);
    let worst = 0;
    for (const { query, documents } of cases) {
      const encodings: Encoding[] = [];
      // The reference took a pair with an empty document for the query alone.
      for (const { document } of documents) {
        encodings.push(
          ...(await (document === '' ? tokenizer.encode([query]) : tokenizer.encodePairs(query, [document]))),
        );
      }
      expect(encodings.map(({ ids }) => ids.length)).toEqual(documents.map((each) => each.token_count));
      for (const [index, encoding] of encodings.entries()) {
        const rows = await model.run([encoding]);
        worst = Math.max(worst, maxDifference(rows, [[documents[index]?.logit ?? Number.NaN]]));
      }
    }
    console.log(`ms-marco-MiniLM-L-12-v2: max difference ${worst.toExponential(2)}`);
    expect(worst).toBeLessThanOrEqual(LOGIT_TOLERANCE);
  });

  test('every tensor is read', () => {
    expect(model.compiled.unreadTensors).toEqual([]);
  });
});

describe.skipIf(!hasSplade)(`splade-tiny${hasSplade ? '' : ' (skipped: its folder is not there)'}`, () => {
  const { cases, tolerance } = readReference<SparseReference>('splade-tiny');
  let model: CompiledGolden;

  beforeAll(async () => {
    model = await compileGolden(SPLADE);
  });
  afterAll(() => model.close());

  test('the weights of all entries of every text equal the reference', async () => {
    const tokenizer = await openTokenizer(model.folder, model.compiled);
    const [output] = model.compiled.outputs.filter(({ role }) => role === 'sparse');
    const position = model.compiled.outputs.findIndex(({ role }) => role === 'sparse');
    let worst = 0;
    for (const { text, sparse } of cases) {
      const items = await tokenizer.encode([text]);
      const rows = (await model.runAll(items)).flatMap((outputs) => outputs[position] ?? []);
      const expected = Array.from({ length: output?.width ?? 0 }, (_, id) => sparse[id] ?? 0);
      worst = Math.max(worst, maxDifference(rows, [expected]));
    }
    console.log(`splade-tiny: max difference ${worst.toExponential(2)} over ${cases.length} texts`);
    expect(worst).toBeLessThanOrEqual(tolerance);
  });

  test('every tensor is read', () => {
    expect(model.compiled.unreadTensors).toEqual([]);
  });
});
