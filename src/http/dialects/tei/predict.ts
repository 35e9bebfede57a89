import type { ClassifyRequest, LabelScore } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { readTeiTruncate, TEI_TRUNCATE_FIELDS } from '../fields/truncate-field.ts';
import { LABELS_SCHEMA, labelsJson } from '../labels-json.ts';
import { listJson } from '../list-json.ts';
import { TEI_ROUTE } from './tei-route.ts';

const ITEM = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 } as const;

/** TEI's classification: of a text, of a pair, or of a list of either; a reranker's score is its only label. */
export const teiPredict: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'classify',
    paths: ['/predict'],
    operationId: 'tei_predict',
    summary: "Give texts the labels of a classifier, in TEI's form",
    body: {
      type: 'object',
      required: ['inputs'],
      properties: {
        inputs: {
          anyOf: [
            { type: 'string' },
            {
              type: 'array',
              items: { anyOf: [{ type: 'string' }, ITEM] },
              minItems: 1,
              maxItems: Math.max(2, maxClientBatchSize),
            },
          ],
          description: 'A text; a pair of texts; or a list, of lists of one text or two.',
        },
        model: MODEL_FIELD,
        cache: CACHE_FIELD,
        ...TEI_TRUNCATE_FIELDS,
        raw_scores: { type: ['boolean', 'null'], description: 'Logits instead of scores.' },
      },
      examples: [{ inputs: 'I like this.' }],
    } as const,
    replies: {
      200: {
        description: 'Every label, best first; a list of such lists for a list of inputs.',
        anyOf: [LABELS_SCHEMA, { type: 'array', items: LABELS_SCHEMA }],
        examples: [[{ score: 0.75, label: 'positive' }]],
      },
    },

    async handle(body, call) {
      const { texts, isList } = readInputs(body.inputs);
      const result = await engine.classify(
        {
          ...requestedOrFirst(body.model),
          texts,
          rawScores: body.raw_scores ?? false,
          truncation: readTeiTruncate(body),
          rerankers: true,
          param: 'inputs',
        },
        call,
      );
      const entryJson = (labels: readonly LabelScore[]) => labelsJson(labels, `Model '${result.model}'`);
      const pieces = isList ? listJson(result.results, entryJson) : result.results.map(entryJson);
      return { body: await assembleBody(pieces, call.signal) };
    },
  });

type Inputs = string | readonly (string | readonly string[])[];

function readInputs(inputs: Inputs): { readonly texts: ClassifyRequest['texts']; readonly isList: boolean } {
  if (typeof inputs === 'string') return { texts: [inputs], isList: false };
  const texts = inputs.filter((entry) => typeof entry === 'string');
  if (texts.length > 0) {
    if (texts.length < inputs.length || texts.length > 2) {
      const message = `inputs: expected a text, a pair of texts or a list of lists of one text or two, got a list of ${inputs.length} that is none of them`;
      throw new ServiceError('invalid_request', message, { param: 'inputs' });
    }
    return { texts: [textOrPair(texts)], isList: false };
  }
  return { texts: inputs.map((entry) => textOrPair(typeof entry === 'string' ? [entry] : entry)), isList: true };
}

function textOrPair([first, second]: readonly string[]): ClassifyRequest['texts'][number] {
  if (first === undefined) throw new ServiceError('invalid_request', 'inputs: expected a text or two, got none');
  return second === undefined ? first : [first, second];
}
