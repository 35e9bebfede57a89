import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeVectorStore, entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { recordingLogger } from '../../test/fakes/recording-logger.ts';
import { findRedisServer, freePort, type RedisServer, startRedisServer } from '../../test/fakes/redis-server.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import type { VectorStore } from '../contracts/vector-store.ts';
import { guardStore } from './guarded-store.ts';
import { createRedisStore, readRedisUrl } from './redis-store.ts';

test.each(['http://host', 'redis://', 'host:6379', ''])("the address '%s' is refused", (text) => {
  expect(() => readRedisUrl(text, '--vector-cache-url')).toThrow('--vector-cache-url: expected redis://');
});

test('a refused address is not shown, since it may hold a password', () => {
  expect(() => readRedisUrl('redis//:secret@host', '--vector-cache-url')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  );
});

const redis = findRedisServer();
if (redis === undefined)
  console.log('No redis-server and no valkey-server here: the tests of the Redis store are skipped.');

const PASSWORD = 'se/c:r@t';

async function untilConnected(store: VectorStore): Promise<void> {
  await vi.waitFor(() => store.getMany([keyOf('any')]), { timeout: 5000, interval: 20 });
}

describe.skipIf(redis === undefined)('with a real server', () => {
  const server = redis ?? '';
  const running: RedisServer[] = [];
  let port = 0;
  const urlOf = (password = PASSWORD) => new URL(`redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/3`);

  async function openStore(url = urlOf()) {
    const store = createRedisStore({ url, logger: recordingLogger() });
    onTestFinished(() => store.close());
    await untilConnected(store);
    return store;
  }

  beforeAll(async () => {
    port = await freePort();
    running.push(await startRedisServer(server, ['--port', String(port), '--requirepass', PASSWORD]));
  });
  afterAll(() => Promise.all(running.map((each) => each.stop())));

  describeVectorStore('in Redis', async () => {
    const admin = createClient({ url: urlOf().href });
    await admin.connect();
    await admin.flushAll();
    await admin.close();
    return connected(createRedisStore({ url: urlOf(), logger: recordingLogger() }));
  });

  async function connected(store: VectorStore): Promise<VectorStore> {
    await vi.waitFor(() => store.setMany([entryOf('probe', 0)]), { timeout: 5000, interval: 20 });
    await store.clear();
    return store;
  }

  test('leaves keys alone that are not its own, and gives its own a time to live', async () => {
    const admin = createClient({ url: urlOf().href });
    await admin.connect();
    onTestFinished(() => admin.close());
    await admin.set('other', 'kept');
    const store = await openStore();
    await store.setMany([entryOf('a', 1)]);
    expect(await admin.ttl(`infinity:vectors:1:${keyOf('a')}`)).toBeGreaterThan(86_400);
    await store.clear();
    expect(await admin.get('other')).toBe('kept');
    expect(await store.getMany([keyOf('a')])).toEqual([undefined]);
  });

  test('two machines share what one of them has set', async () => {
    const [one, other] = [await openStore(), await openStore()];
    await one.setMany([entryOf('shared', 1, 2)]);
    expect(await other.getMany([keyOf('shared')])).toEqual([Float32Array.of(1, 2)]);
  });

  test('a wrong password is a store that does not answer, and the password is in no message', async () => {
    const logger = recordingLogger();
    const store = createRedisStore({ url: urlOf('wrong-password'), logger: { ...logger, debug: logger.info } });
    await vi.waitFor(() => expect(logger.lines).toContainEqual(expect.stringContaining('WRONGPASS')), 5000);
    await expect(store.getMany([keyOf('a')])).rejects.toThrow();
    await store.close();
    expect(JSON.stringify([logger.lines, store.name])).not.toContain('wrong-password');
  });

  test('a server that is not there yet, dies and comes back is used whenever it is there', async () => {
    const ownPort = await freePort();
    const flags = ['--port', String(ownPort)];
    let nowMs = 0;
    const logger = recordingLogger();
    const inner = createRedisStore({ url: new URL(`redis://127.0.0.1:${ownPort}`), logger });
    const store = guardStore(inner, { logger, nowMs: () => nowMs });
    onTestFinished(() => store.close());
    const known = async () => {
      nowMs += 60_000;
      await store.setMany([entryOf('a', 1)]);
      return (await store.getMany([keyOf('a')]))[0] !== undefined;
    };
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await known()).toBe(false);
    for (let life = 0; life < 2; life += 1) {
      const own = await startRedisServer(server, flags);
      await vi.waitFor(async () => expect(await known()).toBe(true), { timeout: 10_000, interval: 50 });
      await own.stop();
      for (let attempt = 0; attempt < 5; attempt += 1) expect(await known()).toBe(false);
    }
    expect(logger.lines.filter((line) => line.includes('answers again'))).toHaveLength(2);
  });

  test('a server that hangs costs a lookup a bounded time, then nothing', async () => {
    const ownPort = await freePort();
    const own = await startRedisServer(server, ['--port', String(ownPort)]);
    const logger = recordingLogger();
    const inner = createRedisStore({ url: new URL(`redis://127.0.0.1:${ownPort}`), logger });
    await untilConnected(inner);
    const store = guardStore(inner, { logger });
    own.process.kill('SIGSTOP');
    for (let lookup = 0; lookup < 6; lookup += 1) expect(await store.getMany([keyOf('a')])).toEqual([undefined]);
    expect(await store.stats()).toMatchObject({ errors: 3, bypassed: 3 });
    await own.stop();
    await store.close();
  });

  test('TLS by rediss://', async (context) => {
    const folder = temporaryFolder();
    const file = (name: string) => path.join(folder, name);
    try {
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      execFileSync('openssl', [...request, ...names, '-keyout', file('key'), '-out', file('cert')], {
        stdio: 'ignore',
      });
    } catch {
      return context.skip('no openssl here');
    }
    const ownPort = await freePort();
    const tls = ['--tls-cert-file', file('cert'), '--tls-key-file', file('key'), '--tls-ca-cert-file', file('cert')];
    const flags = ['--port', '0', '--tls-port', String(ownPort), '--tls-auth-clients', 'no', ...tls];
    const own = await startRedisServer(server, flags);
    onTestFinished(() => own.stop());
    const url = new URL(`rediss://localhost:${ownPort}`);
    const logger = recordingLogger();
    const distrusting = createRedisStore({ url, logger: { ...logger, debug: logger.info } });
    await vi.waitFor(() => expect(logger.lines.join()).toMatch(/self-signed certificate/), 5000);
    await distrusting.close();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await openStore(url);
    await store.setMany([entryOf('a', 1)]);
    expect(await store.getMany([keyOf('a')])).toEqual([Float32Array.of(1)]);
  });
});
