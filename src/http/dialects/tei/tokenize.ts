import type { Token } from '../../../contracts/tokenizer.ts';
import { assembleBody } from '../../assemble-body.ts';
import { bodyRoute, type RouteFactory } from '../../route.ts';
import { MODEL_FIELD, requestedOrFirst } from '../fields/model-field.ts';
import { PROMPT_NAME_FIELD, readPrompt } from '../fields/prompt-fields.ts';
import { textsField } from '../fields/texts-field.ts';
import { TEI_ROUTE } from './tei-route.ts';

/** The tokens of texts with their places, in UTF-8 bytes of the prompt and the text; not truncated. */
export const teiTokenize: RouteFactory = ({ engine, maxClientBatchSize }) =>
  bodyRoute({
    ...TEI_ROUTE,
    access: 'tokenize',
    paths: ['/tokenize'],
    operationId: 'tei_tokenize',
    summary: 'Split texts into tokens',
    body: {
      type: 'object',
      required: ['inputs'],
      properties: {
        inputs: { ...textsField(maxClientBatchSize), description: 'One text or a list of texts.' },
        model: MODEL_FIELD,
        add_special_tokens: { type: ['boolean', 'null'], description: 'True when absent.' },
        prompt_name: PROMPT_NAME_FIELD,
      },
      examples: [{ inputs: 'The sky is blue.' }],
    } as const,
    replies: {
      200: {
        description: 'The tokens of each text.',
        type: 'array',
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'text', 'special', 'start', 'stop'],
            properties: {
              id: { type: 'integer' },
              text: { type: 'string' },
              special: { type: 'boolean' },
              start: { type: ['integer', 'null'] },
              stop: { type: ['integer', 'null'] },
            },
          },
        },
        examples: [[[{ id: 1996, text: 'The', special: false, start: 0, stop: 3 }]]],
      },
    },

    async handle(body, call) {
      const request = {
        ...requestedOrFirst(body.model),
        texts: [body.inputs].flat(),
        addSpecialTokens: body.add_special_tokens ?? true,
        prompt: readPrompt({ prompt_name: body.prompt_name ?? null }),
        param: 'inputs',
      };
      const { texts } = await engine.tokenize(request, call);
      return { body: await assembleBody(tokensJson(texts), call.signal) };
    },
  });

function* tokensJson(texts: readonly (readonly Token[])[]): Generator<string> {
  yield '[';
  for (const [index, tokens] of texts.entries()) {
    yield index === 0 ? '[' : ',[';
    for (const [position, { id, text, special, start = null, stop = null }] of tokens.entries()) {
      yield (position === 0 ? '' : ',') + JSON.stringify({ id, text, special, start, stop });
    }
    yield ']';
  }
  yield ']';
}
