import type { Task } from '../contracts/compiled-model.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';

/** Guards the time and the memory of a run: longer texts teach a calibration nothing new. */
const MAX_TOKENS = 1024;

/**
 * The texts as a model for this task meets them: one after the other, or each with the next one as query and document. Those that
 * are longer than a run of calibration takes are left out.
 */
export async function encodeSamples(
  tokenizer: Tokenizer,
  task: Task,
  texts: readonly string[],
): Promise<readonly Encoding[]> {
  const encodings: Encoding[] = [];
  if (task === 'rerank') {
    for (const [index, text] of texts.entries()) {
      const document = texts[(index + 1) % texts.length] ?? '';
      encodings.push(...(await tokenizer.encodePairs(text, [document])));
    }
  } else {
    encodings.push(...(await tokenizer.encode(texts)));
  }
  return encodings.filter(({ ids }) => ids.length > 0 && ids.length <= MAX_TOKENS);
}
