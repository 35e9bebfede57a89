// Texts of any client, on tokenizers of each kind.
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, FEW_RUNS, holdsForAll } from '../../test/fakes/untrusted.ts';
import { openModelFolder } from '../hub/open-model-folder.ts';
import { createTokenizer } from './create-tokenizer.ts';

const MARKS = 100_000;
/** They take up to half a second for 200,000 characters, twice that for 400,000, on a machine with nothing else to do. */
const MOST_MS = 15_000;
const long = fc
  .constantFrom('e\u0301', '\u0301', 'a', '\u200d', '😀', '\ud800', '\0', 'ﷺ', ' ')
  .map((unit) => unit.repeat(MARKS));

test.each(['bert-mean', 'roberta-embed', 'xlmr-embed', 'qwen3-embed', 't5-embed'])(
  'the tokenizer of %s makes ids of its vocabulary of any text, whatever its length',
  async (name) => {
    const folder = await openModelFolder(
      name,
      path.join(import.meta.dirname, '../../test/golden/public', name, 'model'),
    );
    const limits = { vocabularySize: Number(folder.config.vocab_size), maxPositions: 64 };
    const tokenizer = await createTokenizer(folder, limits);
    await holdsForAll(
      fc.oneof({ weight: 20, arbitrary: anyText }, { weight: 1, arbitrary: long }),
      async (text) => {
        for (const { ids } of [...(await tokenizer.encode([text])), ...(await tokenizer.encodePairs(text, [text]))]) {
          expect(ids.length).toBeGreaterThan(0);
          expect(ids.length).toBeLessThanOrEqual(limits.maxPositions);
          for (const id of ids) expect(id >= 0 && id < limits.vocabularySize).toBe(true);
        }
      },
      FEW_RUNS,
      MOST_MS,
    );
  },
);
