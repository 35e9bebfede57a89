import type { RequestContext, RerankRequest, RerankResult } from '../contracts/engine.ts';
import type { ModelSlot } from './model-slot.ts';
import { rankDocuments } from './rank-documents.ts';
import { requireModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

/** The documents by relevance to the query. Rejects with the errors of `requireModel`. */
export async function rerank(
  slots: readonly ModelSlot[],
  { model: name, query, documents, topN, rawScores }: RerankRequest,
  context: RequestContext,
): Promise<RerankResult> {
  const model = requireModel(slots, name, 'rerank');
  const encode = (unique: readonly string[]) => model.tokenizer.encodePairs(query, unique);
  const run = { role: 'logits', texts: documents, besides: query, encode, context, param: 'documents' } as const;
  const { results: logits, tokens } = await runTexts(model, run, ([logit = Number.NaN]) => logit);
  return { model: model.servedName, results: rankDocuments(logits, { topN, rawScores }), tokens };
}
