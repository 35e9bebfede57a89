import { expect, test, vi } from 'vitest';
import type { RequestContext } from '../contracts/engine.ts';
import { RequestsInHand } from './requests-in-hand.ts';
import { connect } from './testing/connect.ts';
import { denseResult, fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

const POST =
  'POST /embeddings HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"input":"x"}';

/** A server with one request whose work ends when the test says so. */
async function busyServer() {
  const requestsInHand = new RequestsInHand();
  let finish = () => {};
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const embed = (_: unknown, { signal }: RequestContext) =>
    new Promise<ReturnType<typeof denseResult>>((resolve, reject) => {
      finish = () => resolve(denseResult([Float32Array.of(1)]));
      signal.addEventListener('abort', () => reject(signal.reason));
      started();
    });
  let isShuttingDown = false;
  const { server } = await createTestServer({
    engine: fakeEngine({ embed, models: () => [modelStatus('a/b')] }),
    requestsInHand,
    isShuttingDown: () => isShuttingDown,
  });
  await server.ready();
  const connection = connect(server);
  connection.write(POST);
  await running;
  isShuttingDown = true;
  return { server, requestsInHand, connection, finish: () => finish() };
}

test('a request in hand is waited for, and answered; another one is refused and its connection closed', async () => {
  const { server, requestsInHand, connection, finish } = await busyServer();
  const none = vi.fn();
  const ended = requestsInHand.whenNone().then(none);
  const late = connect(server);
  late.write(POST);
  expect(await late.closed).toMatch(/^HTTP\/1.1 503 [^{]*connection: close\r\n[^{]*\{"error":.*"shutting_down"/is);
  expect(none).not.toHaveBeenCalled();
  finish();
  expect(await connection.closed).toMatch(/^HTTP\/1.1 200 .*connection: close\r\n/is);
  await ended;
});

test('a request that is given up is answered with 503', async () => {
  const { requestsInHand, connection } = await busyServer();
  requestsInHand.abandon();
  expect(await connection.closed).toMatch(/^HTTP\/1.1 503 .*"shutting_down"/is);
  await requestsInHand.whenNone();
});

test('there is nothing to wait for where nothing was asked', async () => {
  await new RequestsInHand().whenNone();
});
