import type { EmbeddingOutput, TextInput } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { requestedModel } from '../fields/model-field.ts';
import { readPrompt } from '../fields/prompt-fields.ts';
import { readTextInputs } from '../fields/texts-field.ts';
import { readTruncate } from '../fields/truncate-field.ts';
import { refuseMedia } from '../media-reference.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { stripText } from '../strip-text.ts';
import { embeddingsJson } from './embeddings-json.ts';
import { EMBEDDINGS_REPLY_SCHEMA, embeddingsRequestSchema } from './embeddings-schema.ts';

/** OpenAI's embeddings, which is also the original's own form. */
export const embeddings: RouteFactory = ({ engine, maxClientBatchSize, textOfIds, ...services }) =>
  bodyRoute({
    paths: ['/v1/embeddings', '/embeddings'],
    access: 'embed',
    operationId: 'embeddings',
    summary: 'Turn texts into vectors',
    tag: 'embeddings',
    body: embeddingsRequestSchema(maxClientBatchSize),
    replies: { 200: EMBEDDINGS_REPLY_SCHEMA },
    errors: MODEL_ERRORS,

    async handle(body, call) {
      const model = requestedModel(body.model);
      const modality = body.modality ?? 'text';
      if (modality !== 'text') {
        refuseMedia(engine, { model, modality, input: body.input, maxItems: maxClientBatchSize }, call);
      }
      const texts = readTextInputs(body.input, { maxItems: maxClientBatchSize, param: 'input' }).map(
        (input): TextInput => {
          if (typeof input === 'string') return stripText(input);
          return textOfIds === undefined ? input : stripText(textOfIds(input));
        },
      );
      const result = await engine.embed(
        {
          model,
          texts,
          outputs: readOutputs(body),
          tokenTexts: body.sparse_format === 'tokens',
          dimensions: body.dimensions ?? undefined,
          normalize: body.normalize ?? undefined,
          dtypes: body.embedding_dtype ? [body.embedding_dtype] : undefined,
          truncation: readTruncate(body.truncate),
          prompt: readPrompt(body),
        },
        call,
      );
      const envelope = {
        encodingFormat: body.encoding_format ?? 'float',
        sparseFormat: body.sparse_format ?? 'pairs',
        ...replyStamp(services),
      } as const;
      return { body: await assembleBody(embeddingsJson(result, envelope), call.signal) };
    },
  });

interface OutputFields {
  readonly return_dense?: boolean | null;
  readonly return_sparse?: boolean | null;
  readonly return_colbert_vecs?: boolean | null;
}

/** `undefined`, what the model is made for, when the request says nothing. Throws `invalid_request` when it asks for nothing. */
function readOutputs(fields: OutputFields): readonly EmbeddingOutput[] | undefined {
  const { return_dense: dense, return_sparse: sparse, return_colbert_vecs: colbert } = fields;
  if (dense !== false && sparse !== true && colbert !== true) return dense === true ? ['dense'] : undefined;
  const outputs: EmbeddingOutput[] = [];
  if (dense ?? true) outputs.push('dense');
  if (sparse === true) outputs.push('sparse');
  if (colbert === true) outputs.push('colbert');
  if (outputs.length > 0) return outputs;
  throw new ServiceError(
    'invalid_request',
    'return_dense: expected at least one of return_dense, return_sparse and return_colbert_vecs to be true, got none',
    { param: 'return_dense' },
  );
}
