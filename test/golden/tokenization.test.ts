import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Tokenizer } from '../../src/contracts/tokenizer.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { openTokenizer } from '../../src/tokenization/open-tokenizer.ts';

interface GoldenCase {
  readonly id: string;
  readonly inputs:
    | { readonly texts: readonly string[]; readonly prompt?: string }
    | { readonly pairs: readonly { readonly query: string; readonly document: string }[] };
  readonly token_ids: readonly (readonly number[])[];
  readonly token_type_ids: readonly (readonly number[])[];
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

function readJson<T>(relative: string): T {
  return JSON.parse(readFileSync(pathOf(relative), 'utf8'));
}

/** Opens the tokenizer of a folder with the limits that its config.json states. */
async function openFrom(relative: string): Promise<Tokenizer> {
  const folder = await openModelFolder(relative, pathOf(relative));
  return openTokenizer(folder, {
    vocabularySize: Number(folder.config.vocab_size),
    maxPositions: Number(folder.config.max_position_embeddings),
  });
}

async function encodeCase(tokenizer: Tokenizer, { inputs }: GoldenCase) {
  if ('texts' in inputs) return tokenizer.encode(inputs.texts.map((text) => `${inputs.prompt ?? ''}${text}`));
  const encodings = [];
  for (const { query, document } of inputs.pairs) {
    encodings.push(...(await tokenizer.encodePairs(query, [document])));
  }
  return encodings;
}

describe.each(['bert-cls-norm', 'bert-mean', 'bert-reranker'])('%s', (name) => {
  const golden = readJson<{ max_seq_length: number; cases: readonly GoldenCase[] }>(`public/${name}/expected.json`);

  test('takes the maximum length from the files', async () => {
    expect((await openFrom(`public/${name}/model`)).maxSequenceLength).toBe(golden.max_seq_length);
  });

  test.each(golden.cases)('the ids and type ids of $id equal the reference', async (goldenCase) => {
    const encodings = await encodeCase(await openFrom(`public/${name}/model`), goldenCase);
    expect(encodings.map(({ ids }) => [...ids])).toEqual(goldenCase.token_ids);
    expect(encodings.map(({ typeIds }) => [...typeIds])).toEqual(goldenCase.token_type_ids);
  });
});

test('the ids of every bge-small-en-v1.5 case equal the reference', async () => {
  const { cases } = readJson<{ cases: readonly { text: string; token_ids: readonly number[] }[] }>(
    'real/bge-small-en-v1.5.json',
  );
  const tokenizer = await openFrom('../../models/bge-small-en-v1.5');
  const encodings = await tokenizer.encode(cases.map(({ text }) => text.trim()));
  expect(encodings.map(({ ids }) => [...ids])).toEqual(cases.map(({ token_ids }) => token_ids));
});

// The reference left an empty document out of its pair, while sentence-transformers (and the `empty_document` case of
// bert-reranker above) keep the separator that ends it: one token more.
const separatorsOfEmpty = (document: string) => (document.trim() === '' ? 1 : 0);

test('the token counts of every ms-marco-MiniLM-L-12-v2 pair equal the reference', async () => {
  const { cases } = readJson<{
    cases: readonly { query: string; documents: readonly { document: string; token_count: number }[] }[];
  }>('real/ms-marco-MiniLM-L-12-v2.json');
  const tokenizer = await openFrom('../../models/ms-marco-MiniLM-L-12-v2');
  for (const { query, documents } of cases) {
    const encodings = await tokenizer.encodePairs(
      query.trim(),
      documents.map(({ document }) => document.trim()),
    );
    expect(encodings.map(({ ids }) => ids.length)).toEqual(
      documents.map(({ document, token_count }) => token_count + separatorsOfEmpty(document)),
    );
  }
});
