import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { splitCall, type TokenizerCall } from './call-parts.ts';
import { packEncodings } from './packed-encodings.ts';
import { serveTokenizer } from './serve-tokenizer.ts';
import type { TokenizerReply, TokenizerRequest } from './tokenizer-messages.ts';

const rowOf = (text: string): Encoding => ({
  ids: Int32Array.from(text, (character) => character.charCodeAt(0)),
  typeIds: new Int32Array(text.length),
});

/** Encodes characters; the text 'wait' is encoded when the test says so, 'fail' and 'refuse' never are. */
function fakeTokenizer() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tokenizer: Tokenizer = {
    maxSequenceLength: 7,
    async encode(texts) {
      if (texts.includes('wait')) await released;
      if (texts.includes('fail')) throw new Error('a detail');
      if (texts.includes('refuse')) throw new ServiceError('invalid_request', 'No.', { param: 'input' });
      return texts.map(rowOf);
    },
    encodePairs: async (query, documents) => documents.map((document) => rowOf(`${query}|${document}`)),
  };
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
  await serveTokenizer(port, Promise.resolve(fakeTokenizer().tokenizer));
  expect(replies).toEqual([{ kind: 'opened', maxSequenceLength: 7 }]);
  await ask(1, { kind: 'encode', texts: ['a longer text', '', 'b'] });
  await ask(2, { kind: 'encodePairs', query: 'query', documents: ['x', 'yz'] });
  expect(replies.slice(1)).toEqual([
    { kind: 'encoded', id: 1, encodings: packEncodings(['a longer text', '', 'b'].map(rowOf)) },
    { kind: 'encoded', id: 2, encodings: packEncodings(['query|x', 'query|yz'].map(rowOf)) },
  ]);
  const [, answer] = replies;
  if (answer?.kind !== 'encoded') throw new Error('expected an answer');
  const { ids, typeIds, lengths } = answer.encodings;
  expect(transfers[1]).toEqual([ids.buffer, typeIds.buffer, lengths.buffer]);
});

test('a call does not wait for the one before it', async () => {
  const { port, replies, ask } = fakePort();
  const { tokenizer, release } = fakeTokenizer();
  await serveTokenizer(port, Promise.resolve(tokenizer));
  await ask(1, { kind: 'encode', texts: ['wait'] });
  await ask(2, { kind: 'encode', texts: ['b'] });
  expect(replies.slice(1)).toMatchObject([{ kind: 'encoded', id: 2 }]);
  release();
  await new Promise(setImmediate);
  expect(replies.slice(2)).toMatchObject([{ kind: 'encoded', id: 1 }]);
});

test('a call that fails gets its failure and the next one its answer', async () => {
  const { port, replies, ask } = fakePort();
  await serveTokenizer(port, Promise.resolve(fakeTokenizer().tokenizer));
  await ask(1, { kind: 'encode', texts: ['refuse'] });
  await ask(2, { kind: 'encode', texts: ['fail'] });
  await ask(3, { kind: 'encode', texts: ['a'] });
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
