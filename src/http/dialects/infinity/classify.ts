import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { requestedModel } from '../fields/model-field.ts';
import { readTruncate } from '../fields/truncate-field.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { stripText } from '../strip-text.ts';
import { classifyJson } from './classify-json.ts';
import { CLASSIFY_REPLY_SCHEMA, classifyRequestSchema } from './classify-schema.ts';

/** The original's classification, of one text too; `raw_scores` is followed, which the original accepts and ignores. */
export const classify: RouteFactory = ({ engine, maxClientBatchSize, ...services }) =>
  bodyRoute({
    paths: ['/classify', '/v1/classify'],
    access: 'classify',
    operationId: 'classify',
    summary: 'Give texts the labels of a classifier',
    tag: 'classify',
    body: classifyRequestSchema(maxClientBatchSize),
    replies: { 200: CLASSIFY_REPLY_SCHEMA },
    errors: MODEL_ERRORS,

    async handle(body, call) {
      const texts = [body.input].flat().map(stripText);
      const result = await engine.classify(
        {
          model: requestedModel(body.model),
          texts,
          rawScores: body.raw_scores ?? false,
          truncation: readTruncate(body.truncate),
        },
        call,
      );
      return { body: await assembleBody(classifyJson(result, replyStamp(services)), call.signal) };
    },
  });
