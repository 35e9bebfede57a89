import type { ClassifyRequest, ClassifyResult, RequestContext } from '../contracts/engine.ts';
import { labelScores } from './label-scores.ts';
import type { ModelSlot } from './model-slot.ts';
import { requireModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

/** The labels of each text with their scores, best first. Rejects with the errors of `requireModel`. */
export async function classify(
  slots: readonly ModelSlot[],
  { model: name, texts, rawScores }: ClassifyRequest,
  context: RequestContext,
): Promise<ClassifyResult> {
  const model = requireModel(slots, name, 'classify');
  const { labels, scoreFunction } = model.compiled.classification ?? { labels: [], scoreFunction: 'none' };
  const run = {
    role: 'logits',
    texts,
    encode: (unique: readonly string[]) => model.tokenizer.encode(unique),
    context,
    param: 'input',
  } as const;
  const { results, tokens } = await runTexts(model, run, (row) =>
    labelScores(row, labels, rawScores ? 'none' : scoreFunction),
  );
  return { model: model.servedName, results, tokens };
}
