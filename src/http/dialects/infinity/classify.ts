import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { requestedModel } from '../requested-model.ts';
import { stripText } from '../strip-text.ts';
import { classifyJson } from './classify-json.ts';
import { CLASSIFY_REPLY_SCHEMA, classifyRequestSchema } from './classify-schema.ts';

/** The original's classification, of one text too; `raw_scores` is followed, which the original accepts and ignores. */
export const classify: RouteFactory = ({ engine, maxClientBatchSize, newId, nowMs }) =>
  bodyRoute({
    paths: ['/classify', '/v1/classify'],
    access: 'key',
    operationId: 'classify',
    summary: 'Give texts the labels of a classifier',
    tag: 'classify',
    body: classifyRequestSchema(maxClientBatchSize),
    replies: { 200: CLASSIFY_REPLY_SCHEMA },
    errors: ['capability_missing', 'model_not_found', 'model_loading', 'model_failed', 'run_failed', 'lane_lost'],

    async handle(body, { signal }) {
      const texts = [body.input].flat().map(stripText);
      const result = await engine.classify(
        { model: requestedModel(body.model), texts, rawScores: body.raw_scores ?? false },
        { signal },
      );
      const envelope = { id: `infinity-${newId()}`, created: Math.floor(nowMs() / 1000) };
      return { body: await assembleBody(classifyJson(result, envelope), signal) };
    },
  });
