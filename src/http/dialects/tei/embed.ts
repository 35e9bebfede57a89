import type { EmbeddingOutput, EmbedRequest, EmbedResult } from '../../../contracts/engine.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type Route, type RouteFactory, type RouteServices } from '../../route.ts';
import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { PROMPT_NAME_FIELD, readPrompt } from '../fields/prompt-fields.ts';
import { readTextInputs, textInputsField } from '../fields/texts-field.ts';
import { readTeiTruncate, TEI_TRUNCATE_FIELDS, type TeiTruncate } from '../fields/truncate-field.ts';
import { listJson } from '../list-json.ts';
import { SPARSE_PAIRS_SCHEMA, sparsePairsJson } from '../sparse-json.ts';
import { tokenVectorsJson, vectorJson } from '../vector-json.ts';
import { TEI_ROUTE } from './tei-route.ts';

const VECTOR = { type: 'array', items: { type: 'number' } } as const;

function inputFields(maxItems: number) {
  return {
    inputs: textInputsField(maxItems),
    model: MODEL_FIELD,
    cache: CACHE_FIELD,
    ...TEI_TRUNCATE_FIELDS,
    prompt_name: PROMPT_NAME_FIELD,
  } as const;
}

/** What all three routes do with their fields. */
function readFields(body: TeiTruncate & TeiInput, maxItems: number): EmbedRequest {
  return {
    ...requestedOrFirst(body.model),
    texts: readTextInputs(body.inputs, { maxItems, param: 'inputs' }),
    truncation: readTeiTruncate(body),
    prompt: readPrompt({ prompt_name: body.prompt_name ?? null }),
    param: 'inputs',
  };
}

interface TeiInput {
  readonly inputs: Parameters<typeof readTextInputs>[0];
  readonly model?: string | null;
  readonly prompt_name?: string | null;
}

const nameOf = ({ model }: EmbedResult, index: number) => `Model '${model}', inputs[${index}]`;

/** Pooled vectors, of length 1 unless that is declined. Always float32, whatever the setting: TEI has nothing else. */
export const teiEmbed: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'embed',
    paths: ['/embed'],
    operationId: 'tei_embed',
    summary: "Turn texts into vectors, in TEI's form",
    body: {
      type: 'object',
      required: ['inputs'],
      properties: {
        ...inputFields(maxClientBatchSize),
        normalize: {
          type: ['boolean', 'null'],
          description:
            "Gives each vector length 1 (the default); `false` leaves it as the model's own modules make it.",
        },
        dimensions: {
          type: ['integer', 'null'],
          minimum: 1,
          description: 'Cuts each vector to its first numbers, before it is normalised.',
        },
      },
      examples: [{ inputs: ['The sky is blue.', 'Grass is green.'] }],
    } as const,
    replies: {
      200: {
        description: 'A vector for each input.',
        type: 'array',
        items: VECTOR,
        examples: [[[0.0123, -0.0456]]],
      },
    },

    async handle(body, call) {
      const normalize = body.normalize ?? true;
      const dimensions = body.dimensions ?? undefined;
      const request = { ...readFields(body, maxClientBatchSize), dtypes: ['float32'], normalize, dimensions } as const;
      const result = await engine.embed({ ...request, outputs: ['dense'] }, call);
      const vectors = result.dense[0]?.vectors ?? [];
      const pieces = listJson(vectors, (vector, index) => vectorJson(vector, 'float', nameOf(result, index)));
      return { body: await assembleBody(pieces, call.signal) };
    },
  });

interface OutputRoute {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly output: EmbeddingOutput;
  readonly reply: object;
  pieces(result: EmbedResult): Generator<string>;
}

function outputRoute(route: OutputRoute, { engine, maxClientBatchSize }: RouteServices): Route {
  return bodyRoute({
    ...TEI_ROUTE,
    access: 'embed',
    paths: [route.path],
    operationId: route.operationId,
    summary: route.summary,
    body: {
      type: 'object',
      required: ['inputs'],
      properties: inputFields(maxClientBatchSize),
      examples: [{ inputs: ['The sky is blue.'] }],
    } as const,
    replies: { 200: route.reply },

    async handle(body, call) {
      const result = await engine.embed({ ...readFields(body, maxClientBatchSize), outputs: [route.output] }, call);
      return { body: await assembleBody(route.pieces(result), call.signal) };
    },
  });
}

/** A vector for each token: of ColBERT models, which are made for it; other models give pooled vectors only. */
export const teiEmbedAll: RouteFactory = (services) =>
  outputRoute(
    {
      path: '/embed_all',
      operationId: 'tei_embed_all',
      summary: 'Turn texts into a vector for each token',
      output: 'colbert',
      reply: {
        description: 'For each input a vector for each of its tokens.',
        type: 'array',
        items: { type: 'array', items: VECTOR },
        examples: [
          [
            [
              [0.0123, -0.0456],
              [0.0789, 0.0321],
            ],
          ],
        ],
      },
      pieces: (result) =>
        listJson(result.colbert, (vectors, index) => tokenVectorsJson(vectors, 'float', nameOf(result, index))),
    },
    services,
  );

/** The entries of the vocabulary that weigh more than nothing, in the order of their ids. */
export const teiEmbedSparse: RouteFactory = (services) =>
  outputRoute(
    {
      path: '/embed_sparse',
      operationId: 'tei_embed_sparse',
      summary: 'Turn texts into sparse vectors',
      output: 'sparse',
      reply: {
        description: 'For each input its entries.',
        type: 'array',
        items: SPARSE_PAIRS_SCHEMA,
        examples: [[[{ index: 2054, value: 1.25 }]]],
      },
      pieces: (result) => listJson(result.sparse, sparsePairsJson),
    },
    services,
  );
