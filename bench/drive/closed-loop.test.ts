import { expect, test } from 'vitest';
import { closedLoop } from './closed-loop.mjs';

/** A server that answers each request after `takesMs`, on a clock that only it moves. */
function fakeServer(takesMs: number) {
  let nowMs = 0;
  const inFlight: { readonly dueMs: number; readonly answer: () => void }[] = [];
  let most = 0;
  function answerNext() {
    const next = inFlight.shift();
    if (next === undefined) return;
    nowMs = next.dueMs;
    next.answer();
  }
  return {
    now: () => nowMs,
    mostInFlight: () => most,
    send: () =>
      new Promise<void>((resolve) => {
        inFlight.push({ dueMs: nowMs + takesMs, answer: resolve });
        most = Math.max(most, inFlight.length);
        setImmediate(answerNext);
      }),
  };
}

test('each client sends its next request when it has the reply, until the time is over', async () => {
  const { now, send, mostInFlight } = fakeServer(300);
  const round = await closedLoop({ send, tokensOf: () => 10, clients: 2, seconds: 1, now });
  // 2 clients: replies at 300, 600, 900 and 1200 ms.
  expect(round.requests).toBe(8);
  expect(round.tokens).toBe(80);
  expect(round.seconds).toBe(1.2);
  expect(round.latenciesMs).toEqual(new Array(8).fill(300));
  expect(mostInFlight()).toBe(2);
});

test('requests are taken in their order, each once', async () => {
  const { now, send } = fakeServer(100);
  const sent: number[] = [];
  const record = (index: number) => {
    sent.push(index);
    return send();
  };
  await closedLoop({ send: record, tokensOf: () => 1, clients: 3, seconds: 0.3, now });
  expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('every client sends at least one request', async () => {
  const { now, send } = fakeServer(5_000);
  const round = await closedLoop({ send, tokensOf: () => 1, clients: 4, seconds: 0.1, now });
  expect(round.requests).toBe(4);
});

test('a failed request fails the round', async () => {
  const failing = () => Promise.reject(new Error('status 500'));
  await expect(closedLoop({ send: failing, tokensOf: () => 1, clients: 2, seconds: 1 })).rejects.toThrow('status 500');
});
