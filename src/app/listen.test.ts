import { renameSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { listen } from './listen.ts';

/** The part of a Fastify server that `listen` uses. */
function listener() {
  const server: Server = createServer();
  onTestFinished(() => {
    server.close();
  });
  return {
    server,
    listen: (address: { path: string } | { host: string; port: number }) =>
      new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve)),
  };
}

const at = (unixSocket: string) => ({ host: '0.0.0.0', port: 7997, unixSocket, isSecure: false });

test('a Unix socket is listened on, and one that a killed server left behind is replaced', async () => {
  const socket = path.join(temporaryFolder(), 'infinity.sock');
  const first = listener();
  expect(await listen(first, at(socket))).toBe(`unix:${socket}`);
  await expect(listen(listener(), at(socket))).rejects.toMatchObject({
    code: 'address_unavailable',
    message: `Cannot listen on ${socket}: another process is using it.`,
  });
  // Closing removes the socket at the path of its own only; what is left answers nobody.
  const abandoned = `${socket}.old`;
  renameSync(socket, abandoned);
  await new Promise((resolve) => first.server.close(resolve));
  expect(await listen(listener(), at(abandoned))).toBe(`unix:${abandoned}`);
});

test('a folder that is not there is said so', async () => {
  const socket = path.join(temporaryFolder(), 'nowhere', 'infinity.sock');
  await expect(listen(listener(), at(socket))).rejects.toThrow(`Cannot listen on ${socket}: there is no such folder.`);
});
