import { ServiceError } from '../../../contracts/errors.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { replyStamp } from '../reply-stamp.ts';
import { requestedModel } from '../requested-model.ts';
import { stripText } from '../strip-text.ts';
import { embeddingsJson } from './embeddings-json.ts';
import { EMBEDDINGS_REPLY_SCHEMA, embeddingsRequestSchema } from './embeddings-schema.ts';

/** OpenAI's embeddings, which is also the original's own form. */
export const embeddings: RouteFactory = ({ engine, maxClientBatchSize, ...services }) =>
  bodyRoute({
    paths: ['/v1/embeddings', '/embeddings'],
    access: 'key',
    operationId: 'embeddings',
    summary: 'Turn texts into vectors',
    tag: 'embeddings',
    body: embeddingsRequestSchema(maxClientBatchSize),
    replies: { 200: EMBEDDINGS_REPLY_SCHEMA },
    errors: MODEL_ERRORS,
    explainBody: explainTokenIds,

    async handle(body, call) {
      const modality = body.modality ?? 'text';
      if (modality !== 'text') {
        const message = `modality: this server embeds "text", got "${modality}"`;
        throw new ServiceError('capability_missing', message, { param: 'modality' });
      }
      const texts = [body.input].flat().map(stripText);
      const result = await engine.embed(
        { model: requestedModel(body.model), texts, dimensions: body.dimensions ?? undefined },
        call,
      );
      const encodingFormat = body.encoding_format ?? 'float';
      const envelope = { encodingFormat, ...replyStamp(services) };
      return { body: await assembleBody(embeddingsJson(result, envelope), call.signal) };
    },
  });

/** Some clients tokenise by themselves, with a vocabulary of their own: a plain refusal says what to switch off. */
function explainTokenIds(body: unknown): ServiceError | undefined {
  if (typeof body !== 'object' || body === null || !('input' in body) || !Array.isArray(body.input)) return undefined;
  const first: unknown = [body.input[0]].flat()[0];
  if (typeof first !== 'number') return undefined;
  const message =
    'input: expected a string or a list of strings, got token ids, which are not supported: send the text itself';
  return new ServiceError('invalid_request', message, { param: 'input' });
}
