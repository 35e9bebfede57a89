import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type Route, type RouteServices } from '../../route.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { requestedModel } from '../requested-model.ts';
import { stripText } from '../strip-text.ts';
import { rerankJson } from './rerank-json.ts';
import { type DocumentSchema, rerankReplySchema, rerankRequestSchema } from './rerank-schema.ts';

/** Where the dialects of reranking differ. */
export interface RerankDialect {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** How a document is given back. */
  readonly documentSchema: DocumentSchema;
  documentJson(text: string): string;
}

/** One request body, one way to rank; each dialect only says how a document is given back. */
export function rerankRoute(dialect: RerankDialect, { engine, maxClientBatchSize, ...services }: RouteServices): Route {
  return bodyRoute({
    paths: [dialect.path],
    access: 'key',
    operationId: dialect.operationId,
    summary: dialect.summary,
    tag: 'rerank',
    body: rerankRequestSchema(maxClientBatchSize),
    replies: { 200: rerankReplySchema(dialect.documentSchema) },
    errors: MODEL_ERRORS,

    async handle(body, call) {
      const documents = [body.documents]
        .flat()
        .map((entry) => stripText(typeof entry === 'string' ? entry : entry.text));
      const result = await engine.rerank(
        {
          model: requestedModel(body.model),
          query: stripText(body.query),
          documents,
          topN: body.top_n ?? undefined,
          rawScores: body.raw_scores ?? false,
        },
        call,
      );
      const documentJson = (index: number) => dialect.documentJson(documents[index] ?? '');
      const envelope = {
        documentJson: body.return_documents === true ? documentJson : undefined,
        ...replyStamp(services),
      };
      return { body: await assembleBody(rerankJson(result, envelope), call.signal) };
    },
  });
}
