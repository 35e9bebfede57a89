// Keys and certificates that change while a server runs.
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { getJson } from './support/post-json.ts';
import { startForTest } from './support/start-for-test.ts';

const TINY = fileURLToPath(new URL('../golden/public/bert-mean/model', import.meta.url));

it('a key file counts anew when it changes and at SIGHUP, and a broken one changes nothing', async () => {
  const file = path.join(temporaryFolder(), 'keys.yaml');
  writeFileSync(file, '- { name: old, key: sesame-1 }\n');
  const running = startForTest({ args: ['--model-id', TINY, '--api-key-file', file] });
  const url = await running.ready();
  const statusWith = async (key: string) => (await getJson(`${url}/models`, { authorization: `Bearer ${key}` })).status;
  expect([await statusWith('sesame-1'), await statusWith('sesame-2')]).toEqual([200, 401]);

  writeFileSync(`${file}.new`, '- { name: new, key: sesame-2, scopes: [models] }\n');
  renameSync(`${file}.new`, file);
  await running.waitFor('INFO: API keys: 1 after reading');
  expect([await statusWith('sesame-1'), await statusWith('sesame-2')]).toEqual([401, 200]);

  writeFileSync(file, '- { name: new, key: sesame-3, scopes: [everything] }\n');
  running.child.kill('SIGHUP');
  await running.waitFor(
    /ERROR: API keys: those from before stay, .*key 1, scopes: expected embed, .*, got another one/,
  );
  expect(await statusWith('sesame-2')).toBe(200);
  expect(running.output()).not.toContain('sesame');
  expect(await running.stop()).toBe(0);
});

it('a key file that cannot be used is a usage error', async () => {
  const running = startForTest({ args: ['--model-id', TINY, '--api-key-file', '/nowhere/keys'] });
  expect((await running.exited).code).toBe(2);
  expect(running.output()).toBe("ERROR: --api-key-file: expected a readable file, got ENOENT for '/nowhere/keys'\n");
});

/** Made by `openssl req` and `openssl x509`, for 100 years; the key of their authority is gone. */
const tlsFile = (name: string) => fileURLToPath(new URL(`../fakes/tls/${name}`, import.meta.url));
const AUTHORITY = readFileSync(tlsFile('authority.pem'));

interface Answer {
  readonly status: number | undefined;
  /** Common name of the server's certificate. */
  readonly name: string;
  readonly protocol: string | null;
}

function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/health`, { ca: AUTHORITY, agent: false, ...options }, (reply) => {
      const socket = reply.socket as TLSSocket;
      resolve({
        status: reply.statusCode,
        name: String(socket.getPeerCertificate().subject.CN),
        protocol: socket.getProtocol(),
      });
      reply.resume();
    });
    request.on('error', reject);
  });
}

function startWithTls(...args: readonly string[]) {
  const folder = temporaryFolder();
  const certfile = path.join(folder, 'tls.pem');
  const keyfile = path.join(folder, 'tls.key');
  const use = (name: string, key = `${name}.key`) => {
    copyFileSync(tlsFile(key), keyfile);
    copyFileSync(tlsFile(`${name}.pem`), certfile);
  };
  return {
    use,
    certfile,
    start: () =>
      startForTest({ args: ['--model-id', TINY, '--ssl-certfile', certfile, '--ssl-keyfile', keyfile, ...args] }),
  };
}

it('TLS is spoken, 1.2 and newer, and a renewed certificate counts without a new start', async () => {
  const { use, start, certfile } = startWithTls('--ssl-keyfile-password', 'sesame');
  use('first', 'first.encrypted.key');
  const running = start();
  const url = (await running.waitFor(/Started server process on (https:\S+)/))[1] ?? '';
  await running.waitFor('Application startup complete.');
  expect(await ask(url)).toEqual({ status: 200, name: 'first', protocol: 'TLSv1.3' });
  expect(await ask(url, { maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(ask(url, old)).rejects.toThrow();
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();

  use('renewed');
  await running.waitFor(/INFO: TLS: the certificate was read again, it is valid to \w+ .* 21\d\d GMT\./);
  expect(await ask(url)).toMatchObject({ status: 200, name: 'renewed' });

  writeFileSync(certfile, 'no certificate');
  running.child.kill('SIGHUP');
  await running.waitFor(/ERROR: TLS: the certificate from before stays, --ssl-certfile: expected a certificate/);
  expect(await ask(url)).toMatchObject({ status: 200, name: 'renewed' });
  expect(running.output()).not.toContain('sesame');
  expect(await running.stop()).toBe(0);
});

it('clients without a certificate of the authorities are refused where there are some', async () => {
  const { use, start } = startWithTls('--ssl-ca-certs', tlsFile('authority.pem'));
  use('first');
  const url = (await start().waitFor(/Started server process on (https:\S+)/))[1] ?? '';
  await expect(ask(url)).rejects.toThrow();
  const own = { cert: readFileSync(tlsFile('client.pem')), key: readFileSync(tlsFile('client.key')) };
  expect(await ask(url, own)).toMatchObject({ status: 200 });
});

it.each([
  [['--ssl-certfile', '/nowhere'], "--ssl-certfile: expected a readable file, got ENOENT for '/nowhere'"],
  [['--ssl-keyfile', '/nowhere'], '--ssl-keyfile: expected --ssl-certfile beside it, got none'],
  [['--ssl-certfile', tlsFile('first.pem')], '--ssl-certfile: expected a certificate and its private key in PEM, got '],
  [
    ['--ssl-certfile', tlsFile('first.pem'), '--ssl-keyfile', tlsFile('client.key')],
    '--ssl-certfile: expected a certif',
  ],
])('%j is a usage error', async (args, message) => {
  const running = startForTest({ args: ['--model-id', TINY, ...args] });
  expect((await running.exited).code).toBe(2);
  expect(running.output()).toContain(`ERROR: ${message}`);
});
