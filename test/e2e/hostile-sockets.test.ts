// Bytes that no client sends, over real sockets: each is refused by a limit, and nobody else notices.

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmbedRequest } from '../../src/contracts/engine.ts';
import { CONNECTION_LIMITS } from '../../src/http/connection-limits.ts';
import type { ServerOptions } from '../../src/http/create-server.ts';
import { denseResult, fakeEngine } from '../../src/http/testing/fake-engine.ts';
import { createTestServer, testKeys } from '../../src/http/testing/test-server.ts';

async function serve(options: Partial<ServerOptions> = {}) {
  const seen: string[] = [];
  const embed = async ({ texts }: EmbedRequest) => {
    seen.push(...texts.map(String));
    return denseResult(texts.map(() => Float32Array.of(1)));
  };
  const { server } = await createTestServer({ engine: fakeEngine({ embed, models: () => [] }), ...options });
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  /** Sends the parts, one after the other, and gives all that comes back until the server closes. */
  async function send(parts: Iterable<string>, pauseMs = 0): Promise<string> {
    const socket = open(Number(port));
    const reply = readAll(socket);
    for (const part of parts) {
      if (socket.destroyed) break;
      socket.write(part);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    return reply;
  }
  const isServing = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).status === 200;
  return { port: Number(port), seen, send, isServing };
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

const statusesOf = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const JSON_TYPE = 'content-type: application/json\r\n';
const post = (headers: string, body: string) =>
  `POST /embeddings HTTP/1.1\r\nhost: a\r\n${JSON_TYPE}${headers}\r\n${body}`;
const whole = (text: string, more = '') => {
  const body = JSON.stringify({ input: text });
  return post(`content-length: ${body.length}\r\n${more}`, body);
};

describe('what is refused at once', () => {
  it.each([
    ['a header that is too large', [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`], 431],
    ['a URL that is too long', [`GET /${'a'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`], 431],
    ['a chunk whose size is no number', [post('transfer-encoding: chunked\r\n', 'zz\r\n')], 400],
    ['a chunk that is longer than it says', [post('transfer-encoding: chunked\r\n', '2\r\n{"a"\r\n0\r\n\r\n')], 400],
    ['an endless chunk extension', [post('transfer-encoding: chunked\r\n', `2;${'a'.repeat(70_000)}`)], 400],
    ['a length and chunks', [post('content-length: 4\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')], 400],
    ['chunks and a length', [post('transfer-encoding: chunked\r\ncontent-length: 4\r\n', '0\r\n\r\n')], 400],
    ['two lengths', [post('content-length: 4\r\ncontent-length: 5\r\n', '{}')], 400],
    ['a length that is no number', [post('content-length: 0x4\r\n', '{}')], 400],
    ['a negative length', [post('content-length: -4\r\n', '{}')], 400],
    ['another coding before chunks', [post('transfer-encoding: xchunked\r\n', '0\r\n\r\n')], 400],
    ['chunks that are not the last coding', [post('transfer-encoding: chunked, gzip\r\n', '0\r\n\r\n')], 400],
    ['a header name with a blank', [post('content-length : 4\r\n', '{}')], 400],
    ['a folded header', [post('transfer-encoding:\r\n chunked\r\ncontent-length: 4\r\n', '0\r\n\r\n')], 400],
    ['a bare line feed in a header', ['GET /health HTTP/1.1\r\nhost: a\nx: b\rc\r\n\r\n'], 400],
    ['a null byte in a header', ['GET /health HTTP/1.1\r\nhost: a\u0000b\r\n\r\n'], 400],
    ['the preface of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 400],
    ['a TLS handshake', ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'], 400],
    ['no Host', ['GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'], 400],
    ['a body over the limit, by its length', [post('content-length: 100001\r\nconnection: close\r\n', '')], 413],
    ['a tunnel', ['CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n'], undefined],
  ] as const)('%s', async (_, parts, status) => {
    const { send, seen, isServing } = await serve();
    const reply = await send(parts);
    expect(statusesOf(reply)).toEqual(status === undefined ? [] : [status]);
    expect(seen).toEqual([]);
    expect(await isServing()).toBe(true);
  });

  it('a body over the limit, in chunks without an end', async () => {
    const { send, seen } = await serve({ bodyLimitBytes: 10_000 });
    const chunk = `1000\r\n${'a'.repeat(0x1000)}\r\n`;
    const reply = await send([post('transfer-encoding: chunked\r\n', chunk), ...Array(20).fill(chunk)]);
    expect([statusesOf(reply), seen]).toEqual([[413], []]);
  });

  it('what is smuggled behind a request of two lengths is never read as one', async () => {
    const { send, seen } = await serve();
    const smuggled = whole('smuggled');
    for (const headers of [
      'content-length: 5\r\ntransfer-encoding: chunked\r\n',
      'content-length: 5\r\ncontent-length: 0\r\n',
    ]) {
      expect(statusesOf(await send([post(headers, `0\r\n\r\n${smuggled}`)]))).toEqual([400]);
    }
    expect(seen).toEqual([]);
  });
});

it('two hosts, or one that is no host, change nothing: no answer depends on it', async () => {
  const { send } = await serve();
  for (const host of ['a\r\nhost: b', '../../etc', 'evil.example@a']) {
    const reply = await send([`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`]);
    expect(reply).toMatch(/^HTTP\/1\.1 307 .*\r\nlocation: \/docs\r\n/s);
  }
});

it('of thousands of small headers those over 2000 are not read, and a key that is among them opens nothing', async () => {
  const { send, seen } = await serve(testKeys('k'));
  const many = 'a:b\r\n'.repeat(3000);
  const key = 'authorization: Bearer k\r\n';
  const last = 'connection: close\r\n';
  expect(statusesOf(await send([whole('first', `${last}${key}${many}`)]))).toEqual([200]);
  expect(statusesOf(await send([whole('second', `${last}${many}${key}`)]))).toEqual([401]);
  expect(seen).toEqual(['first']);
});

it('requests one after the other without waiting are answered in their order', async () => {
  const { send, seen } = await serve();
  const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`);
  const reply = await send([texts.map((text) => whole(text)).join('') + whole('last', 'connection: close\r\n')]);
  expect(statusesOf(reply)).toEqual(Array(51).fill(200));
  expect(seen).toEqual([...texts, 'last']);
});

describe('with limits on time', () => {
  const SHORT = { ...CONNECTION_LIMITS, headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  function* drip(first: string, then: string): Generator<string> {
    yield first;
    for (;;) yield then;
  }

  it('headers that trickle in are given up', async () => {
    const { send, isServing } = await serve({ connectionLimits: SHORT });
    const reply = send(drip('GET / HTTP/1.1\r\nhost: a\r\n', 'x: y\r\n'), 40);
    expect(await isServing()).toBe(true);
    expect(statusesOf(await reply)).toEqual([408]);
  });

  it('a body that trickles in is given up', async () => {
    const { send, seen, isServing } = await serve({ connectionLimits: SHORT });
    const reply = send(drip(post('content-length: 90000\r\n', '{"input":"'), 'a'), 40);
    expect(await isServing()).toBe(true);
    expect([statusesOf(await reply), seen]).toEqual([[408], []]);
  });

  it('a TLS handshake that never comes is given up', async () => {
    const file = (name: string) =>
      readFileSync(fileURLToPath(new URL(`../fakes/tls/${name}`, import.meta.url)), 'utf8');
    const { port } = await serve({
      connectionLimits: { ...SHORT, handshakeTimeout: 200 },
      tls: { cert: file('first.pem'), key: file('first.key') },
    });
    expect(await readAll(open(port))).toBe('');
    const socket = connectTls({ port, host: '127.0.0.1', ca: file('authority.pem'), servername: 'localhost' });
    socket.write('GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(statusesOf(await readAll(socket))).toEqual([200]);
  });
});

it('hundreds of connections that say nothing keep nobody out', async () => {
  const { port, isServing, send } = await serve();
  const idle = Array.from({ length: 400 }, () => open(port));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  for (const socket of idle) socket.write('POST /embeddings HTTP/1.1\r\nhost: a\r\n');
  expect(await isServing()).toBe(true);
  expect(statusesOf(await send([whole('x', 'connection: close\r\n')]))).toEqual([200]);
});
