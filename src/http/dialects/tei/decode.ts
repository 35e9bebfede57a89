import { bodyRoute, type RouteFactory } from '../../route.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { idsField, readIdRows } from '../fields/texts-field.ts';
import { TEI_ROUTE } from './tei-route.ts';

/** Ids to text. */
export const teiDecode: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'tokenize',
    paths: ['/decode'],
    operationId: 'tei_decode',
    summary: 'Turn token ids into text',
    body: {
      type: 'object',
      required: ['ids'],
      properties: {
        ids: idsField(maxClientBatchSize),
        model: MODEL_FIELD,
        skip_special_tokens: { type: ['boolean', 'null'], description: 'True when absent.' },
      },
      examples: [{ ids: [101, 1996, 3712, 102] }],
    } as const,
    replies: {
      200: {
        description: 'A text for each list of ids.',
        type: 'array',
        items: { type: 'string' },
        examples: [['the sky']],
      },
    },

    async handle(body, call) {
      const request = {
        ...requestedOrFirst(body.model),
        ids: readIdRows(body.ids, { maxItems: maxClientBatchSize, param: 'ids' }),
        skipSpecialTokens: body.skip_special_tokens ?? true,
        param: 'ids',
      };
      const { texts } = await engine.decode(request, call);
      return { body: JSON.stringify(texts) };
    },
  });
