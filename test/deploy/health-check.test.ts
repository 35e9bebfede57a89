import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { projectFile } from './project-file.ts';

/** Runs the image's health check beside the built server; resolves with its exit code. */
function check(processOne: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const app = temporaryFolder();
  symlinkSync(projectFile('dist'), path.join(app, 'dist'));
  // Beside the link: modules are found by where they really are.
  copyFileSync(projectFile('deploy/docker/health-check.mjs'), path.join(app, 'health-check.mjs'));
  const commandLine = path.join(app, 'cmdline');
  writeFileSync(commandLine, processOne.map((word) => `${word}\0`).join(''));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path.join(app, 'health-check.mjs'), commandLine], {
      env: { PATH: process.env.PATH, ...environment },
    });
    child.once('close', (code) => resolve(code ?? -1));
  });
}

const TLS = {
  cert: readFileSync(projectFile('test/fakes/tls/first.pem')),
  key: readFileSync(projectFile('test/fakes/tls/first.key')),
};

/** A server that is ready or not; a socket's path, or the port it took. */
async function listen(status: number, socketPath?: string, tls?: typeof TLS): Promise<string> {
  const listener: RequestListener = (request, reply) => {
    reply.statusCode = request.url === '/ready' ? status : 404;
    reply.end();
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => {
    if (socketPath === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(socketPath, resolve);
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return socketPath ?? String((server.address() as AddressInfo).port);
}

test('it is healthy when it is ready, on the port that a flag names', async () => {
  const port = await listen(200);
  expect(await check(['node', '/app/dist/main.js', 'v2', '--model-id', 'a/b', '--port', port])).toBe(0);
  expect(await check(['/sbin/docker-init', '--', 'infinity_emb', `--port=${port}`])).toBe(0);
});

test('it is not healthy before, nor where nothing listens', async () => {
  const port = await listen(503);
  expect(await check(['node', '/app/dist/main.js', '--port', port])).toBe(1);
  expect(await check(['node', '/app/dist/main.js', '--port', '1'])).toBe(1);
});

test('the port may be in the environment or in a configuration file', async () => {
  const port = await listen(200);
  expect(await check(['node', '/app/dist/main.js'], { INFINITY_PORT: port })).toBe(0);
  const file = path.join(temporaryFolder(), 'infinity.yaml');
  writeFileSync(file, `port: ${port}\n`);
  expect(await check(['node', '/app/dist/main.js'], { INFINITY_CONFIG: file })).toBe(0);
});

test('a Unix socket is asked where there is one', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const socketPath = await listen(200, path.join(folder, 's'));
  expect(await check(['node', '/app/dist/main.js', '--unix-socket', socketPath])).toBe(0);
});

test('a server with a certificate is asked over TLS, and only for a connection where it would ask for one itself', async () => {
  const port = await listen(200, undefined, TLS);
  const notReady = await listen(503, undefined, TLS);
  const served = (at: string) => ['node', '/app/dist/main.js', '--port', at, '--ssl-certfile', 'tls.pem'];
  expect(await check(served(port))).toBe(0);
  expect(await check(served(notReady))).toBe(1);
  expect(await check([...served(notReady), '--ssl-ca-certs', 'ca.pem'])).toBe(0);
  expect(await check([...served('1'), '--ssl-ca-certs', 'ca.pem'])).toBe(1);
});

test('a container that runs another command is healthy while it runs', async () => {
  expect(await check(['node', '/app/dist/main.js', 'download', 'a/b'])).toBe(0);
});
