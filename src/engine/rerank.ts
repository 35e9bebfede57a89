import type { RequestContext, RerankRequest, RerankResult } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { rankDocuments } from './rank-documents.ts';
import { requireModel } from './require-model.ts';
import { runEncodings } from './run-encodings.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

/** The documents by relevance to the query. Rejects with the errors of `requireModel`. */
export async function rerank(
  slots: readonly ModelSlot[],
  { model: name, query, documents, topN, rawScores }: RerankRequest,
  { signal }: RequestContext,
): Promise<RerankResult> {
  const model = requireModel(slots, name, 'rerank');
  const { unique, positions } = uniqueTexts(documents);
  const encode = () => model.tokenizer.encodePairs(query, unique);
  const { rows, lengths } = await runEncodings(model, { role: 'logits', encode, signal, param: 'documents' });
  const logits = rows.map(([logit = Number.NaN]) => logit);
  return {
    model: model.servedName,
    results: rankDocuments(spread(logits, positions), { topN, rawScores }),
    tokens: spread(lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
