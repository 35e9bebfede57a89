import type { RerankResult } from '../../../contracts/engine.ts';
import { assembleBody } from '../../assemble-body.ts';
import { finiteJson } from '../../finite-json.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { textListField } from '../fields/texts-field.ts';
import { readTeiTruncate, TEI_TRUNCATE_FIELDS } from '../fields/truncate-field.ts';
import { listJson } from '../list-json.ts';
import { TEI_ROUTE } from './tei-route.ts';

/** TEI's reranking: a bare list, best first. */
export const teiRerank: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'rerank',
    paths: ['/rerank'],
    operationId: 'tei_rerank',
    summary: "Rank texts for a query, in TEI's form",
    body: {
      type: 'object',
      required: ['query', 'texts'],
      properties: {
        query: { type: 'string' },
        texts: textListField(maxClientBatchSize),
        model: MODEL_FIELD,
        cache: CACHE_FIELD,
        ...TEI_TRUNCATE_FIELDS,
        raw_scores: { type: ['boolean', 'null'], description: 'Logits instead of scores in 0..1.' },
        return_text: { type: ['boolean', 'null'], description: 'Gives each result its `text`.' },
      },
      examples: [{ query: 'Where is Munich?', texts: ['Munich is in Germany.', 'The sky is blue.'] }],
    } as const,
    replies: {
      200: {
        description: 'Best first; `text` only with `return_text`.',
        type: 'array',
        items: {
          type: 'object',
          required: ['index', 'score'],
          properties: { index: { type: 'integer' }, text: { type: 'string' }, score: { type: 'number' } },
        },
        examples: [[{ index: 0, score: 0.9987 }]],
      },
    },

    async handle(body, call) {
      const result = await engine.rerank(
        {
          ...requestedOrFirst(body.model),
          query: body.query,
          documents: body.texts,
          rawScores: body.raw_scores ?? false,
          truncation: readTeiTruncate(body),
          param: 'texts',
        },
        call,
      );
      const texts = body.return_text === true ? body.texts : undefined;
      return { body: await assembleBody(ranksJson(result, texts), call.signal) };
    },
  });

function ranksJson({ model, results }: RerankResult, texts: readonly string[] | undefined): Generator<string> {
  return listJson(results, ({ index, score }) => {
    const text = texts === undefined ? '' : `,"text":${JSON.stringify(texts[index])}`;
    return `{"index":${index}${text},"score":${finiteJson(score, `Model '${model}', texts[${index}]`)}}`;
  });
}
