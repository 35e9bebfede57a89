import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type Route, type RouteServices } from '../../route.ts';
import { requestedModel } from '../fields/model-field.ts';
import { readTruncate } from '../fields/truncate-field.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { stripText } from '../strip-text.ts';
import { DOCUMENT_JSON, type DocumentForm } from './document-form.ts';
import { rerankJson } from './rerank-json.ts';
import { rerankReplySchema, rerankRequestSchema } from './rerank-schema.ts';

/** Where the dialects of reranking differ. */
export interface RerankDialect {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** How a document is given back, unless a setting fixes one form for all. */
  readonly documentForm: DocumentForm;
  /** With it, the reply has Cohere's `meta`. */
  readonly apiVersion?: string;
}

/** One request body, one way to rank; the dialects differ in their replies. */
export function rerankRoute(dialect: RerankDialect, services: RouteServices): Route {
  const { engine, maxClientBatchSize } = services;
  const documentForm = services.documentForm === 'auto' ? dialect.documentForm : services.documentForm;
  return bodyRoute({
    paths: [dialect.path],
    access: 'rerank',
    operationId: dialect.operationId,
    summary: dialect.summary,
    tag: 'rerank',
    body: rerankRequestSchema(maxClientBatchSize),
    replies: { 200: rerankReplySchema({ ...dialect, documentForm }) },
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
          truncation: readTruncate(body.truncate),
        },
        call,
      );
      const documentJson = (index: number) => DOCUMENT_JSON[documentForm](documents[index] ?? '');
      const envelope = {
        documentJson: body.return_documents === true ? documentJson : undefined,
        apiVersion: dialect.apiVersion,
        ...replyStamp(services),
      };
      return { body: await assembleBody(rerankJson(result, envelope), call.signal) };
    },
  });
}
