// Bodies and headers of any client, on every route that takes a body.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBytes, anyText, anyValue, damagedText, holdsForAll, RUNS } from '../../test/fakes/untrusted.ts';
import { ServiceError } from '../contracts/errors.ts';
import { parseJsonBody } from './json-body-parser.ts';
import { requestId } from './request-id.ts';
import { fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';
import { timeLimitMs } from './time-limit.ts';

/** What the engine says to all that is let in: a status that no validation gives. */
const LET_IN = 429;
const full = async (): Promise<never> => {
  throw new ServiceError('overloaded', 'full', { retryAfterS: 1 });
};
const engine = fakeEngine({
  embed: full,
  rerank: full,
  classify: full,
  tokenize: full,
  decode: full,
  requireCapability: () => modelStatus('a/b'),
  models: () => [modelStatus('a/b')],
});

/** Fields that some dialect knows, with values that are nearly right. */
const FIELDS = [
  ...['model', 'input', 'inputs', 'texts', 'query', 'documents', 'ids', 'source_sentence', 'sentences', 'images'],
  ...['encoding_format', 'dimensions', 'prompt_name', 'input_type', 'embedding_types', 'truncate', 'top_n', 'user'],
  ...[
    'return_documents',
    'raw_scores',
    'normalize',
    'modality',
    'output_dimension',
    'return_text',
    'cache',
    '__proto__',
  ],
];
const nearlyRight = fc.oneof(
  anyValue,
  anyText,
  fc.array(anyText, { maxLength: 6 }),
  fc.array(fc.array(fc.integer({ min: -5, max: 70_000 }), { maxLength: 5 }), { maxLength: 5 }),
  fc.record({ text: anyText, image: anyText }, { requiredKeys: [] }),
  fc.array(fc.record({ text: anyText }), { maxLength: 5 }),
  fc.constantFrom(
    'float',
    'base64',
    'a/b',
    'END',
    'search_query',
    8,
    1.5,
    'data:image/png;base64,AAAA',
    'http://x/y.png',
  ),
);
const bodies = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...FIELDS), nearlyRight), { maxLength: 6 })
      .map((pairs) => JSON.stringify(Object.fromEntries(pairs))),
  },
  damagedText('{"model":"a/b","input":["one","two"],"query":"q","documents":["d",{"text":"e"}],"inputs":"x"}'),
  fc.json(),
  anyText,
);

test('every route answers any body with a documented refusal or lets it in: never with a fault of its own', async () => {
  const { server, post } = await createTestServer({ engine });
  await server.ready();
  const routes = Object.entries(server.swagger().paths ?? {}).flatMap(([path, operations]) =>
    operations?.post === undefined ? [] : [path],
  );
  expect(routes.length).toBeGreaterThan(15);
  for (const route of routes) {
    await holdsForAll(
      bodies,
      async (body) => {
        // `post` fails where the OpenAPI document does not describe the reply.
        const { statusCode } = await post(route, body);
        expect(statusCode === LET_IN || (statusCode >= 400 && statusCode < 500)).toBe(true);
      },
      Math.ceil(RUNS / 2),
    );
  }
});

test('any bytes are a body or refused', async () => {
  const deep = fc.integer({ min: 1, max: 5000 }).map((levels) => Buffer.from('['.repeat(levels)));
  await holdsForAll(fc.oneof(anyBytes, deep), (bytes) => void parseJsonBody(bytes), RUNS * 5);
});

test('any header is a time limit, an id, or refused', async () => {
  await holdsForAll(
    anyText,
    (text) => {
      expect(requestId(text, () => 'new')).toMatch(/^[\x21-\x7e]{1,128}$/);
      const limit = timeLimitMs(text, 0);
      expect(Number.isSafeInteger(limit) && Number(limit) >= 1).toBe(true);
    },
    RUNS * 5,
  );
});
