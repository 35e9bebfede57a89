import type { RequestContext, SparseResult, TextsRequest } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { outputOf } from './output-of.ts';
import { requireModel } from './require-model.ts';
import { runEncodings } from './run-encodings.ts';
import { sparseVector } from './sparse-vector.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

/** One sparse vector for each text. Rejects with the errors of `requireModel`. */
export async function embedSparse(
  slots: readonly ModelSlot[],
  { model: name, texts }: TextsRequest,
  { signal }: RequestContext,
): Promise<SparseResult> {
  const model = requireModel(slots, name, 'sparse');
  const { output } = outputOf(model.compiled, 'sparse');
  const { unique, positions } = uniqueTexts(texts);
  const encode = () => model.tokenizer.encode(unique);
  const run = await runEncodings(model, { role: 'sparse', encode, signal, param: 'input' });
  const vectors = run.rows.map((row, index) =>
    sparseVector(output, row, run.encodings[index]?.ids ?? new Int32Array()),
  );
  return {
    model: model.servedName,
    vectors: spread(vectors, positions),
    tokens: spread(run.lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
