import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { splitCall, type TokenizerCall } from './call-parts.ts';
import { packEncodings } from './packed-encodings.ts';
import { serveTokenizer } from './serve-tokenizer.ts';
import { characterEncoding, fakeTokenizer } from './testing/fake-tokenizer.ts';
import type { TokenizerReply, TokenizerRequest } from './tokenizer-messages.ts';

/** Encodes characters; the text 'wait' is encoded when the test says so, 'fail' and 'refuse' never are. */
function waitingTokenizer() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tokenizer = fakeTokenizer({
    maxSequenceLength: 7,
    async encode(texts) {
      if (texts.includes('wait')) await released;
      if (texts.includes('fail')) throw new Error('a detail');
      if (texts.includes('refuse')) throw new ServiceError('invalid_request', 'No.', { param: 'input' });
      return texts.map(characterEncoding);
    },
    tokenize: async (texts) =>
      texts.map((text) => [{ id: 1, text, special: false, start: 0, stop: Buffer.byteLength(text) }]),
    tokenTexts: async (ids) => [...ids].map(String),
  });
  return { tokenizer, release };
}

function fakePort() {
  const replies: TokenizerReply[] = [];
  const transfers: (readonly ArrayBuffer[])[] = [];
  const listeners: ((request: TokenizerRequest) => void)[] = [];
  return {
    replies,
    transfers,
    listeners,
    port: {
      send(reply: TokenizerReply, transferred: readonly ArrayBuffer[]) {
        replies.push(reply);
        transfers.push(transferred);
      },
      onRequest: (listener: (request: TokenizerRequest) => void) => void listeners.push(listener),
    },
    async ask(id: number, call: TokenizerCall) {
      for (const part of splitCall(call, { maxCharacters: 3, maxTexts: 2 })) {
        for (const listener of listeners) listener({ id, part });
      }
      // The turn in which everything that waits for nothing is answered.
      await new Promise(setImmediate);
    },
  };
}

test('calls are answered with rows whose buffers are transferred, not copied', async () => {
  const { port, replies, transfers, ask } = fakePort();
  await serveTokenizer(port, Promise.resolve(waitingTokenizer().tokenizer));
  expect(replies).toEqual([{ kind: 'opened', maxSequenceLength: 7 }]);
  await ask(1, { kind: 'encode', texts: ['a longer text', '', 'b'], options: {} });
  await ask(2, { kind: 'encodePairs', query: 'query', documents: ['x', 'yz'], options: {} });
  expect(replies.slice(1)).toEqual([
    { kind: 'encoded', id: 1, encodings: packEncodings(['a longer text', '', 'b'].map(characterEncoding)) },
    { kind: 'encoded', id: 2, encodings: packEncodings(['query|x', 'query|yz'].map(characterEncoding)) },
  ]);
  const [, answer] = replies;
  if (answer?.kind !== 'encoded') throw new Error('expected an answer');
  const { ids, typeIds, lengths } = answer.encodings;
  expect(transfers[1]).toEqual([ids.buffer, typeIds.buffer, lengths.buffer]);
});

test('tokens and texts come back as they are, and ids whole', async () => {
  const { port, replies, ask } = fakePort();
  await serveTokenizer(port, Promise.resolve(waitingTokenizer().tokenizer));
  await ask(1, { kind: 'tokenize', texts: ['long text'], addSpecialTokens: false });
  await ask(2, { kind: 'decode', ids: [Int32Array.of(104, 105)], skipSpecialTokens: true });
  await ask(3, { kind: 'tokenTexts', ids: Int32Array.of(7) });
  await ask(4, { kind: 'encodeIds', ids: [Int32Array.of(7, 8)], options: {} });
  const token = { id: 1, text: 'long text', special: false, start: 0, stop: 9 };
  expect(replies.slice(1)).toEqual([
    { kind: 'answered', id: 1, answer: { kind: 'tokens', tokens: [[token]] } },
    { kind: 'answered', id: 2, answer: { kind: 'texts', texts: ['hi'] } },
    { kind: 'answered', id: 3, answer: { kind: 'texts', texts: ['7'] } },
    {
      kind: 'encoded',
      id: 4,
      encodings: packEncodings([{ ids: Int32Array.of(7, 8), typeIds: new Int32Array(2) }]),
    },
  ]);
});

test('a call does not wait for the one before it', async () => {
  const { port, replies, ask } = fakePort();
  const { tokenizer, release } = waitingTokenizer();
  await serveTokenizer(port, Promise.resolve(tokenizer));
  await ask(1, { kind: 'encode', texts: ['wait'], options: {} });
  await ask(2, { kind: 'encode', texts: ['b'], options: {} });
  expect(replies.slice(1)).toMatchObject([{ kind: 'encoded', id: 2 }]);
  release();
  await new Promise(setImmediate);
  expect(replies.slice(2)).toMatchObject([{ kind: 'encoded', id: 1 }]);
});

test('a call that fails gets its failure and the next one its answer', async () => {
  const { port, replies, ask } = fakePort();
  await serveTokenizer(port, Promise.resolve(waitingTokenizer().tokenizer));
  await ask(1, { kind: 'encode', texts: ['refuse'], options: {} });
  await ask(2, { kind: 'encode', texts: ['fail'], options: {} });
  await ask(3, { kind: 'encode', texts: ['a'], options: {} });
  expect(replies.slice(1)).toMatchObject([
    { kind: 'failed', id: 1, failure: { code: 'invalid_request', message: 'No.', param: 'input' } },
    { kind: 'failed', id: 2, failure: { code: 'internal_error', detail: 'a detail' } },
    { kind: 'encoded', id: 3 },
  ]);
});

test('a tokenizer that cannot be opened is told, and nothing is listened to', async () => {
  const { port, replies, listeners } = fakePort();
  await serveTokenizer(port, Promise.reject(new ServiceError('invalid_model_folder', 'No tokenizer.json.')));
  expect(replies).toMatchObject([
    { kind: 'refused', failure: { code: 'invalid_model_folder', message: 'No tokenizer.json.' } },
  ]);
  expect(listeners).toEqual([]);
});
