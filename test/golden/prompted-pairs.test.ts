import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from 'tokenizers';
import { describe, expect, test } from 'vitest';
import { readGenerativeReranker } from '../../src/compiler/heads/generative/generative-reranker.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { openPromptedPairs, type PlainEncoder } from '../../src/tokenization/encode-prompted-pairs.ts';

interface Reference {
  readonly prompt: { readonly max_length: number };
  readonly yes_id: number;
  readonly no_id: number;
  readonly cases: readonly {
    readonly id: string;
    readonly inputs: { readonly pairs: readonly { readonly query: string; readonly document: string }[] };
    readonly token_ids: readonly (readonly number[])[];
  }[];
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

function openEncoder(folderPath: string): PlainEncoder {
  const native = Tokenizer.fromFile(`${folderPath}/tokenizer.json`);
  return {
    encode: (texts, keep) =>
      Promise.all(
        texts.map(async (text) => {
          const encoding = await native.encode(text, null, { addSpecialTokens: false });
          return Int32Array.from(encoding.getIds()).subarray(0, keep);
        }),
      ),
  };
}

describe.each(['qwen2-reranker', 'qwen3-reranker'])('%s', (name) => {
  const reference: Reference = JSON.parse(readFileSync(pathOf(`public/${name}/expected.json`), 'utf8'));
  const folderPath = pathOf(`public/${name}/model`);

  test('the answers are found in the vocabulary', async () => {
    const { tokens } = readGenerativeReranker(await openModelFolder(name, folderPath));
    expect(tokens).toEqual({ yes: reference.yes_id, no: reference.no_id });
  });

  test.each(reference.cases)('the ids of $id equal the reference', async ({ inputs, token_ids: expected }) => {
    const { prompt } = readGenerativeReranker(await openModelFolder(name, folderPath));
    const pairs = await openPromptedPairs(prompt, openEncoder(folderPath), reference.prompt.max_length);
    const encodings = [];
    for (const { query, document } of inputs.pairs) encodings.push(...(await pairs.encodePairs(query, [document])));
    expect(encodings.map(({ ids }) => [...ids])).toEqual(expected);
  });
});
