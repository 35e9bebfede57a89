import type { RequestContext, SparseResult, TextsRequest } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { outputOf } from './output-of.ts';
import { requireModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';
import { sparseVector } from './sparse-vector.ts';

/** One sparse vector for each text. Rejects with the errors of `requireModel`. */
export async function embedSparse(
  slots: readonly ModelSlot[],
  { model: name, texts }: TextsRequest,
  context: RequestContext,
): Promise<SparseResult> {
  const model = requireModel(slots, name, 'sparse');
  const { output } = outputOf(model.compiled, 'sparse');
  const run = {
    role: 'sparse',
    texts,
    encode: (unique: readonly string[]) => model.tokenizer.encode(unique),
    context,
    param: 'input',
  } as const;
  const { results, tokens } = await runTexts(model, run, (row, encoding) =>
    sparseVector(output, row, encoding?.ids ?? new Int32Array()),
  );
  return { model: model.servedName, vectors: results, tokens };
}
