import type { EmbedResult, Engine, RequestContext } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import type { Truncation } from '../../../contracts/tokenizer.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { requestedModel } from '../fields/model-field.ts';
import { type PromptFields, readPrompt } from '../fields/prompt-fields.ts';
import { readCohereTruncate } from '../fields/truncate-field.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { cohereEmbedJson, dtypeOf } from './embed-json.ts';
import { type EmbeddingType, embedReplySchema, embedV1Schema, embedV2Schema } from './embed-schema.ts';

/** Cohere's first version: a plain list of vectors, or several forms of each by their types. */
export const cohereEmbedV1: RouteFactory = ({ engine, maxClientBatchSize, ...services }) =>
  bodyRoute({
    paths: ['/v1/embed'],
    access: 'embed',
    operationId: 'embed_v1',
    summary: "Turn texts into vectors, in Cohere's form",
    tag: 'embeddings',
    body: embedV1Schema(maxClientBatchSize),
    replies: { 200: embedReplySchema('1') },
    errors: MODEL_ERRORS,

    async handle(body, call) {
      const { texts } = body;
      const types = uniqueTypes(body.embedding_types);
      const result = await embedTexts(engine, { ...body, texts, types: types ?? ['float'] }, call);
      const envelope = { version: '1', texts, types, id: replyStamp(services).id } as const;
      return { body: await assembleBody(cohereEmbedJson(result, envelope), call.signal) };
    },
  });

/** Cohere's second version: always by types. */
export const cohereEmbedV2: RouteFactory = ({ engine, maxClientBatchSize, ...services }) =>
  bodyRoute({
    paths: ['/v2/embed'],
    access: 'embed',
    operationId: 'embed_v2',
    summary: "Turn texts into vectors, in the form of Cohere's second version",
    tag: 'embeddings',
    body: embedV2Schema(maxClientBatchSize),
    replies: { 200: embedReplySchema('2') },
    errors: MODEL_ERRORS,

    async handle(body, call) {
      const texts = body.texts ?? body.inputs?.map(({ content }) => content[0]?.text ?? '');
      if (texts === undefined || (body.texts && body.inputs)) {
        throw new ServiceError('invalid_request', 'texts: expected one of texts and inputs, got none or both', {
          param: 'texts',
        });
      }
      const types = uniqueTypes(body.embedding_types) ?? ['float'];
      const dimensions = body.output_dimension ?? undefined;
      const result = await embedTexts(engine, { ...body, texts, types, dimensions }, call);
      const envelope = { version: '2', texts, types, id: replyStamp(services).id } as const;
      return { body: await assembleBody(cohereEmbedJson(result, envelope), call.signal) };
    },
  });

interface EmbedFields extends Pick<PromptFields, 'input_type'> {
  readonly texts: readonly string[];
  readonly model?: string | null;
  readonly truncate?: 'NONE' | 'START' | 'END' | null;
  readonly types: readonly EmbeddingType[];
  readonly dimensions?: number | undefined;
}

function embedTexts(engine: Engine, fields: EmbedFields, context: RequestContext): Promise<EmbedResult> {
  const truncation: Truncation | undefined = readCohereTruncate(fields.truncate);
  return engine.embed(
    {
      model: requestedModel(fields.model),
      texts: fields.texts,
      outputs: ['dense'],
      dtypes: [...new Set(fields.types.map(dtypeOf))],
      dimensions: fields.dimensions,
      truncation,
      prompt: readPrompt({ input_type: fields.input_type ?? null }),
      param: 'texts',
    },
    context,
  );
}

/** `undefined` for an empty list, too. */
function uniqueTypes(types: readonly EmbeddingType[] | null | undefined): readonly EmbeddingType[] | undefined {
  return types === null || types === undefined || types.length === 0 ? undefined : [...new Set(types)];
}
