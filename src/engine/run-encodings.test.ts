import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import type { Demand, Scheduler } from '../contracts/scheduler.ts';
import { runEncodings } from './run-encodings.ts';

const encoding = { ids: Int32Array.of(7), typeIds: new Int32Array(1) };

/** A queue with room for so many tokens, which answers 1 to each item. */
function queueOf(room: number) {
  const reserved: Demand[] = [];
  const scheduler: Scheduler = {
    reserve(estimate) {
      if (estimate.tokens > room) throw new ServiceError('overloaded', 'full');
      reserved.push(estimate);
      return () => {
        reserved.splice(reserved.indexOf(estimate), 1);
      };
    },
    submit: (items) => {
      expect(reserved).toEqual([]);
      return Promise.resolve(items.map(() => [Float32Array.of(1)]));
    },
    load: () => ({ queuedItems: 0, queuedTokens: 0, runningItems: 0 }),
    failure: () => undefined,
    drain: () => Promise.resolve(),
  };
  return { scheduler, reserved };
}

const request = (tokens: number, signal: AbortSignal, encode = () => Promise.resolve([encoding])) => ({
  estimate: { items: 1, tokens },
  context: { signal },
  param: 'input',
  outputs: [0],
  encode,
});
const quiet = new AbortController().signal;

test('a request that finds no room is not encoded', async () => {
  const { scheduler } = queueOf(5);
  let calls = 0;
  const encode = () => {
    calls += 1;
    return Promise.resolve([encoding]);
  };
  await expect(runEncodings({ scheduler }, request(6, quiet, encode))).rejects.toMatchObject({
    code: 'overloaded',
  });
  expect(calls).toBe(0);
});

test('room is held while a request is encoded and given up before it is submitted', async () => {
  const { scheduler, reserved } = queueOf(5);
  const answer = runEncodings({ scheduler }, request(5, quiet));
  expect(reserved).toEqual([{ items: 1, tokens: 5 }]);
  expect((await answer).items).toEqual([[Float32Array.of(1)]]);
});

test('room is given up when the encoding fails', async () => {
  const { scheduler, reserved } = queueOf(5);
  const encode = () => Promise.reject(new ServiceError('internal_error', 'no'));
  await expect(runEncodings({ scheduler }, request(5, quiet, encode))).rejects.toThrow('no');
  expect(reserved).toEqual([]);
});

test('a request that is given up while it is encoded is answered at once and gives up its room', async () => {
  const { scheduler, reserved } = queueOf(5);
  const client = new AbortController();
  const answer = runEncodings(
    { scheduler },
    request(5, client.signal, () => new Promise(() => {})),
  );
  client.abort(new ServiceError('deadline_exceeded', 'too late'));
  await expect(answer).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(reserved).toEqual([]);
});
