import type { RequestContext, TextsRequest, TokenVectorsResult } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { outputOf } from './output-of.ts';
import { requireModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

/** A vector for each token of each text. Rejects with the errors of `requireModel`. */
export async function embedTokens(
  slots: readonly ModelSlot[],
  { model: name, texts }: TextsRequest,
  context: RequestContext,
): Promise<TokenVectorsResult> {
  const model = requireModel(slots, name, 'colbert');
  const { width } = outputOf(model.compiled, 'colbert').output;
  const run = {
    role: 'colbert',
    texts,
    encode: (unique: readonly string[]) => model.tokenizer.encode(unique),
    context,
    param: 'input',
  } as const;
  const { results, tokens } = await runTexts(model, run, (numbers) => ({ width, numbers }));
  return { model: model.servedName, texts: results, tokens };
}
