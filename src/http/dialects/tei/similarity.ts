import type { DenseVector } from '../../../contracts/engine.ts';
import { finiteJson } from '../../finite-json.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { PROMPT_NAME_FIELD, readPrompt } from '../fields/prompt-fields.ts';
import { textListField } from '../fields/texts-field.ts';
import { readTeiTruncate, TEI_TRUNCATE_FIELDS } from '../fields/truncate-field.ts';
import { TEI_ROUTE } from './tei-route.ts';

/** The cosine between one sentence and each of several. */
export const teiSimilarity: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'embed',
    paths: ['/similarity'],
    operationId: 'tei_similarity',
    summary: 'How near are sentences to another?',
    body: {
      type: 'object',
      required: ['inputs'],
      properties: {
        inputs: {
          type: 'object',
          required: ['source_sentence', 'sentences'],
          properties: {
            source_sentence: { type: 'string' },
            sentences: textListField(maxClientBatchSize),
          },
        },
        model: MODEL_FIELD,
        cache: CACHE_FIELD,
        parameters: {
          type: ['object', 'null'],
          properties: { ...TEI_TRUNCATE_FIELDS, prompt_name: PROMPT_NAME_FIELD },
        },
      },
      examples: [{ inputs: { source_sentence: 'The sky is blue.', sentences: ['Blue is the sky.', 'A cat sleeps.'] } }],
    } as const,
    replies: {
      200: {
        description: 'A cosine for each sentence.',
        type: 'array',
        items: { type: 'number' },
        examples: [[0.93, 0.41]],
      },
    },

    async handle(body, call) {
      const { source_sentence: source, sentences } = body.inputs;
      const parameters = body.parameters ?? {};
      const result = await engine.embed(
        {
          ...requestedOrFirst(body.model),
          texts: [source, ...sentences],
          outputs: ['dense'],
          dtypes: ['float32'],
          truncation: readTeiTruncate(parameters),
          prompt: readPrompt({ prompt_name: parameters.prompt_name ?? null }),
          param: 'inputs',
        },
        call,
      );
      const [first = new Float32Array(), ...others] = result.dense[0]?.vectors ?? [];
      const name = `Model '${result.model}'`;
      return { body: `[${others.map((vector) => finiteJson(cosine(first, vector), name)).join(',')}]` };
    },
  });

/** 0 where one of them is zero. */
export function cosine(a: DenseVector, b: DenseVector): number {
  let dot = 0;
  let squaresOfA = 0;
  let squaresOfB = 0;
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    squaresOfA += value * value;
    squaresOfB += other * other;
  }
  const product = Math.sqrt(squaresOfA) * Math.sqrt(squaresOfB);
  return product === 0 ? 0 : Math.min(1, Math.max(-1, dot / product));
}
