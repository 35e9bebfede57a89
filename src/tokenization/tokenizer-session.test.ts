import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { ServiceError } from '../contracts/errors.ts';
import { packEncodings } from './packed-encodings.ts';
import type { StartTokenizerThread, TokenizerThreadEvents } from './start-tokenizer-thread.ts';
import { toFailure } from './tokenizer-failure.ts';
import type { TokenizerRequest } from './tokenizer-messages.ts';
import { openTokenizerSession } from './tokenizer-session.ts';

const SOURCE = {
  folder: fakeModelFolder({ id: 'a/b' }),
  limits: { vocabularySize: 10, maxPositions: 8 },
};
const ROWS = [{ ids: Int32Array.of(1, 2), typeIds: Int32Array.of(0, 1) }];
const encodings = packEncodings(ROWS);
const call = (...texts: readonly string[]) => ({ kind: 'encode', texts, options: {} }) as const;

/** A session over a thread that exists only in the test, which speaks for it. */
function sessionUnderTest() {
  const requests: TokenizerRequest[] = [];
  /** Whether the thread keeps the process alive, as a worker does from its start. */
  const thread = { keepsAlive: true, breaks: false };
  let events: TokenizerThreadEvents | undefined;
  const startThread: StartTokenizerThread = (source, given) => {
    expect(source).toBe(SOURCE);
    events = given;
    return {
      send(request) {
        if (thread.breaks) throw new Error('out of memory');
        requests.push(request);
      },
      keepProcessAlive(isNeeded) {
        thread.keepsAlive = isNeeded;
      },
      stop() {
        throw new Error('nobody stops a thread');
      },
    };
  };
  const opening = openTokenizerSession(SOURCE, startThread);
  if (events === undefined) throw new Error('the thread was not started');
  return { opening, events, requests, thread };
}

async function openSession() {
  const parts = sessionUnderTest();
  parts.events.onReply({ kind: 'opened', maxSequenceLength: 8 });
  return { ...parts, session: await parts.opening };
}

test('calls are answered by id, in any order', async () => {
  const { session, events, requests } = await openSession();
  expect(session.maxSequenceLength).toBe(8);
  const first = session.call(call('a'));
  const second = session.call(call('b'));
  expect(requests.map(({ id, part }) => [id, part.texts])).toEqual([
    [1, ['a']],
    [2, ['b']],
  ]);
  events.onReply({ kind: 'encoded', id: 2, encodings: packEncodings([]) });
  events.onReply({ kind: 'encoded', id: 1, encodings });
  expect(await first).toEqual({ kind: 'encodings', encodings: ROWS });
  expect(await second).toEqual({ kind: 'encodings', encodings: [] });
});

test('a failed call rejects with the error of the tokenizer', async () => {
  const { session, events } = await openSession();
  const answer = session.call(call('a'));
  const failure = toFailure(new ServiceError('invalid_request', 'Token id 9.', { param: 'input' }));
  events.onReply({ kind: 'failed', id: 1, failure });
  await expect(answer).rejects.toMatchObject({ name: 'ServiceError', code: 'invalid_request', param: 'input' });
});

test('the process is kept alive while the tokenizer opens and while calls wait', async () => {
  const { opening, events, thread } = sessionUnderTest();
  expect(thread.keepsAlive).toBe(true);
  events.onReply({ kind: 'opened', maxSequenceLength: 8 });
  const session = await opening;
  expect(thread.keepsAlive).toBe(false);
  void session.call(call('a'));
  void session.call(call('b'));
  events.onReply({ kind: 'encoded', id: 1, encodings });
  expect(thread.keepsAlive).toBe(true);
  events.onReply({ kind: 'encoded', id: 2, encodings });
  expect(thread.keepsAlive).toBe(false);
});

test('a tokenizer that cannot be opened gives its reason', async () => {
  const { opening, events } = sessionUnderTest();
  events.onReply({ kind: 'refused', failure: toFailure(new ServiceError('invalid_model_folder', 'No.')) });
  events.onEnded(undefined);
  await expect(opening).rejects.toMatchObject({ code: 'invalid_model_folder', message: 'No.' });
});

test('a thread that ends before it is open gives what it threw as the cause', async () => {
  const { opening, events } = sessionUnderTest();
  events.onEnded(new Error('no such module'));
  await expect(opening).rejects.toMatchObject({
    code: 'internal_error',
    message: "The tokenizer of 'a/b' ended before it answered.",
    cause: new Error('no such module'),
  });
});

test('the end of the thread rejects every waiting call and every later one', async () => {
  const { session, events } = await openSession();
  const calls = [session.call(call('a')), session.call(call('b'))];
  expect(session.hasEnded()).toBe(false);
  events.onEnded(undefined);
  expect(session.hasEnded()).toBe(true);
  for (const each of [...calls, session.call(call('c'))]) {
    await expect(each).rejects.toMatchObject({ code: 'internal_error' });
  }
});

test('a large call is sent in parts, with turns of the event loop in between', async () => {
  const { session, events, requests } = await openSession();
  const answer = session.call(call('x'.repeat(600_000)));
  expect(requests.map(({ part }) => part.texts.join('').length)).toEqual([250_000]);
  while (requests.length < 3) await new Promise(setImmediate);
  expect(requests.map(({ part }) => part.isLast)).toEqual([false, false, true]);
  events.onReply({ kind: 'encoded', id: 1, encodings });
  expect(await answer).toEqual({ kind: 'encodings', encodings: ROWS });
});

test('nothing more is sent once the thread has ended', async () => {
  const { session, events, requests } = await openSession();
  const answer = session.call(call('x'.repeat(600_000)));
  events.onEnded(undefined);
  await expect(answer).rejects.toMatchObject({ code: 'internal_error' });
  await new Promise(setImmediate);
  expect(requests).toHaveLength(1);
});

test('a call that cannot be sent fails alone', async () => {
  const { session, thread } = await openSession();
  thread.breaks = true;
  await expect(session.call(call('a'))).rejects.toMatchObject({ code: 'internal_error' });
  expect(thread.keepsAlive).toBe(false);
  expect(session.hasEnded()).toBe(false);
});
