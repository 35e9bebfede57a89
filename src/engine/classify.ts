import type { ClassifyRequest, ClassifyResult, RequestContext } from '../contracts/engine.ts';
import { labelScores } from './label-scores.ts';
import type { ModelSlot } from './model-slot.ts';
import { requireModel } from './require-model.ts';
import { runEncodings } from './run-encodings.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

/** The labels of each text with their scores, best first. Rejects with the errors of `requireModel`. */
export async function classify(
  slots: readonly ModelSlot[],
  { model: name, texts, rawScores }: ClassifyRequest,
  { signal }: RequestContext,
): Promise<ClassifyResult> {
  const model = requireModel(slots, name, 'classify');
  const { labels, scoreFunction } = model.compiled.classification ?? { labels: [], scoreFunction: 'none' };
  const { unique, positions } = uniqueTexts(texts);
  const encode = () => model.tokenizer.encode(unique);
  const { rows, lengths } = await runEncodings(model, { role: 'logits', encode, signal, param: 'input' });
  const results = rows.map((row) => labelScores(row, labels, rawScores ? 'none' : scoreFunction));
  return {
    model: model.servedName,
    results: spread(results, positions),
    tokens: spread(lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
