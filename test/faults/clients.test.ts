// What clients can do to the server, and to each other.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readSamples } from '../../src/observability/metrics/testing/read-samples.ts';
import { getJson } from '../e2e/support/post-json.ts';
import { eventually } from '../e2e/support/process-tree.ts';
import { EMBEDDER, type FaultyServer, startFaultyServer, wordFor } from './support/faulty-server.ts';
import { embed, expectRight, idle, queueOf } from './support/requests.ts';

const wait = wordFor('wait');

async function start(...args: string[]) {
  const server = startFaultyServer({ args: ['--model-id', EMBEDDER, '--served-model-name', 'model', ...args] });
  return { server, url: await server.ready() };
}

/** Holds the lane up: it has a run and the next one in hand, and all else waits until the server's `release`. */
async function holdUp(url: string) {
  const holding = [embed(url, wait), embed(url, `${wait} ${wait}`)];
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  return Promise.all(holding);
}

async function errorsOf(url: string, code: string): Promise<number> {
  const samples = readSamples(await (await fetch(`${url}/metrics`)).text());
  const rows = [...samples].filter(
    ([series]) => series.startsWith('infinity_request_errors_total') && series.includes(`"${code}"`),
  );
  return rows.reduce((sum, [, count]) => sum + count, 0);
}

async function afterwards(server: FaultyServer, url: string): Promise<void> {
  await idle(url);
  await expectRight(url, await embed(url, 'text query'), 'text query');
  expect((await getJson(`${url}/ready`)).status).toBe(200);
  expect(server.lanes()).toHaveLength(1);
}

test('a full queue refuses what is over it with 429 and when to come again; all others are answered', async () => {
  const { server, url } = await start('--queue-size', '8');
  const held = holdUp(url);
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  const replies = Promise.all(Array.from({ length: 16 }, (_, index) => embed(url, 'text '.repeat(index + 1))));
  await eventually(async () => (await errorsOf(url, 'overloaded')) > 0, 20_000);
  server.release();
  expect((await held).map(({ status }) => status)).toEqual([200, 200]);
  const refused = (await replies).filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  for (const { status, headers, body } of refused) {
    expect([status, body.error.code]).toEqual([429, 'overloaded']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(body.error.message).toMatch(/8/);
  }
  expect((await replies).length - refused.length).toBeGreaterThanOrEqual(4);
  expect(await errorsOf(url, 'overloaded')).toBe(refused.length);
  await afterwards(server, url);
});

test('a request that cannot be answered in time gets 504 while it waits; those behind it are answered', async () => {
  const { server, url } = await start();
  const held = holdUp(url);
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  const patient = embed(url, 'title query');
  const late = await embed(url, 'text query', { 'x-request-timeout': '0.2' });
  expect([late.status, late.body.error.code]).toEqual([504, 'deadline_exceeded']);
  expect((await queueOf(url)).waiting).toBe(1);
  server.release();
  await held;
  await expectRight(url, await patient, 'title query');
  expect(await errorsOf(url, 'deadline_exceeded')).toBe(1);
  await afterwards(server, url);
});

test('a client that goes away takes what it had in the queue with it, at once', async () => {
  const { server, url } = await start();
  const held = holdUp(url);
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  const leaving = new AbortController();
  const gone = fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'model',
      input: Array.from({ length: 20 }, (_, index) => 'text '.repeat(index + 1)),
    }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name);
  await eventually(async () => (await queueOf(url)).waiting === 20);
  leaving.abort();
  expect(await gone).toBe('AbortError');
  await eventually(async () => (await queueOf(url)).waiting === 0);
  expect((await queueOf(url)).running).toBe(2);
  server.release();
  await held;
  expect(await errorsOf(url, 'request_cancelled')).toBe(1);
  await afterwards(server, url);
});

const BODY = JSON.stringify({ model: 'model', input: 'text query' });
const HEAD = `POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n`;

function open(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { socket, received: () => text };
}

test('a client that closes its half of the connection counts as gone: an end of what it sends is all that tells of it', async () => {
  const { server, url } = await start();
  const held = holdUp(url);
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  const { socket } = open(url);
  socket.write(`${HEAD}\r\n${BODY}`);
  await eventually(async () => (await queueOf(url)).waiting === 1);
  socket.end();
  await eventually(async () => (await queueOf(url)).waiting === 0);
  server.release();
  await held;
  expect(await errorsOf(url, 'request_cancelled')).toBe(1);
  socket.destroy();
  await afterwards(server, url);
});

test('clients that send their body slowly, or never to its end, hold nobody up and leave nothing', async () => {
  const { server, url } = await start();
  const slow = Array.from({ length: 20 }, () => open(url));
  for (const { socket } of slow) socket.write(`${HEAD}\r\n${BODY.slice(0, 5)}`);
  for (const text of ['text query', 'title query']) await expectRight(url, await embed(url, text), text);
  for (const [index, { socket }] of slow.entries()) {
    if (index % 2 === 0) socket.write(BODY.slice(5));
    else socket.destroy();
  }
  await eventually(() => slow.every(({ received }, index) => index % 2 === 1 || received().includes('"embedding"')));
  for (const { socket } of slow) socket.destroy();
  await afterwards(server, url);
});

test('a client that does not read its reply holds nobody up', async () => {
  const { server, url } = await start();
  const { socket } = open(url);
  socket.pause();
  const input = Array.from({ length: 2000 }, () => 'text query');
  const body = JSON.stringify({ model: 'model', input });
  for (let copy = 0; copy < 20; copy += 1) {
    socket.write(
      `POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }
  for (const text of ['text query', 'title query']) await expectRight(url, await embed(url, text), text);
  expect((await getJson(`${url}/health`)).status).toBe(200);
  socket.destroy();
  await afterwards(server, url);
});
