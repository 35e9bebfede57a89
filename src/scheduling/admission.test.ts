import { expect, test } from 'vitest';
import { exceededLimit } from './admission.ts';

const limits = { maxQueuedTokens: 100, maxQueuedItems: 10 };

test.each([
  ['a request that fits', { items: 1, tokens: 60 }, { items: 1, tokens: 40 }, undefined],
  ['one token too many', { items: 1, tokens: 60 }, { items: 1, tokens: 41 }, { unit: 'tokens', tokensToServe: 1 }],
  ['one item too many', { items: 9, tokens: 90 }, { items: 2, tokens: 2 }, { unit: 'items', tokensToServe: 10 }],
  ['a request of any size into an empty queue', { items: 0, tokens: 0 }, { items: 99, tokens: 999 }, undefined],
  [
    'a request of any size into a queue that is half empty',
    { items: 1, tokens: 50 },
    { items: 5, tokens: 999 },
    undefined,
  ],
  [
    'a large request into a fuller queue',
    { items: 1, tokens: 51 },
    { items: 5, tokens: 999 },
    { unit: 'tokens', limit: 100, queued: 51, added: 999, tokensToServe: 1 },
  ],
  ['a small request behind a large one', { items: 5, tokens: 999 }, { items: 1, tokens: 1 }, { tokensToServe: 900 }],
])('%s', (_, load, request, expected) => {
  const exceeded = exceededLimit(load, request, limits);
  if (expected === undefined) expect(exceeded).toBeUndefined();
  else expect(exceeded).toMatchObject(expected);
});
