import type { RequestContext, RerankRequest, RerankResult } from '../contracts/engine.ts';
import { outputOf } from './output-of.ts';
import { rankDocuments } from './rank-documents.ts';
import { type ChosenModel, type ServedModels, withModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

/** The documents by relevance to the query. Rejects as `withModel` does. */
export function rerank(models: ServedModels, request: RerankRequest, context: RequestContext): Promise<RerankResult> {
  return withModel(models, request, { wanted: [['rerank']], context }, (model) => rerankWith(model, request, context));
}

async function rerankWith(model: ChosenModel, request: RerankRequest, context: RequestContext): Promise<RerankResult> {
  const { query, documents, topN, rawScores, truncation, param = 'documents' } = request;
  const { position } = outputOf(model.compiled, 'logits');
  const encode = (unique: readonly string[]) => model.tokenizer.encodePairs(query, unique, { truncation });
  const run = { texts: documents, besides: query, truncation, encode, context, param, outputs: [position] };
  const { results: logits, tokens } = await runTexts(model, run, (rows) => rows[position]?.[0] ?? Number.NaN);
  return { model: model.servedName, results: rankDocuments(logits, { topN, rawScores }), tokens };
}
