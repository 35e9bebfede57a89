import type { RequestContext, TextsRequest, TokenVectorsResult } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { outputOf } from './output-of.ts';
import { requireModel } from './require-model.ts';
import { runEncodings } from './run-encodings.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

/** A vector for each token of each text. Rejects with the errors of `requireModel`. */
export async function embedTokens(
  slots: readonly ModelSlot[],
  { model: name, texts }: TextsRequest,
  { signal }: RequestContext,
): Promise<TokenVectorsResult> {
  const model = requireModel(slots, name, 'colbert');
  const { width } = outputOf(model.compiled, 'colbert').output;
  const { unique, positions } = uniqueTexts(texts);
  const encode = () => model.tokenizer.encode(unique);
  const { rows, lengths } = await runEncodings(model, { role: 'colbert', encode, signal, param: 'input' });
  const vectors = rows.map((numbers) => ({ width, numbers }));
  return {
    model: model.servedName,
    texts: spread(vectors, positions),
    tokens: spread(lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
