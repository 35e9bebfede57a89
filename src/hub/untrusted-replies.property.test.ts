// An endpoint that is no hub, and files that no model has.
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { safetensorsBytes } from '../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { anyText, anyValue, damagedText, holdsForAll } from '../../test/fakes/untrusted.ts';
import { fetchRepository } from './fetch-repository.ts';
import { createHubClient } from './hub-client.ts';
import { readHubEnvironment } from './hub-environment.ts';
import { readJsonObject } from './read-json-file.ts';
import { snapshotProblems } from './snapshot-problems.ts';

/** What is made of the answers of an endpoint. */
async function askedOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const client = await createHubClient(readHubEnvironment({ HF_ENDPOINT: endpoint }));
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  const subject = { id: 'org/model', revision: 'main', endpoint, hasToken: false };
  const { signal } = new AbortController();
  return () => fetchRepository(client, subject, { attempts: 1, signal });
}

test('a description without an end is refused, and not made room for', async () => {
  const ask = await askedOf(async (_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    while (!response.destroyed)
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  });
  await expect(ask()).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('at most 67108864 bytes'),
  });
});

const description = { sha: 'a'.repeat(40), siblings: [{ rfilename: 'config.json', size: 3, blobId: 'b'.repeat(40) }] };

test('any description is a repository or refused', async () => {
  let reply = '';
  const ask = await askedOf((_, response) => void response.end(reply));
  const replies = fc.oneof(
    damagedText(JSON.stringify(description)),
    anyText,
    anyValue.map((value) => JSON.stringify(value)),
  );
  await holdsForAll(replies, (text) => {
    reply = text;
    return ask();
  });
});

test('a file of JSON that is too large is refused before it is read', async () => {
  const filePath = path.join(temporaryFolder(), 'config.json');
  const file = openSync(filePath, 'w');
  ftruncateSync(file, 300 * 1024 * 1024);
  closeSync(file);
  await expect(readJsonObject(filePath)).rejects.toMatchObject({
    message: expect.stringContaining('at most 268435456 bytes'),
  });
});

test('a checkpoint of very many tensors is whole, and one whose header is longer than it is cut off', async () => {
  const root = temporaryFolder();
  for (const [name, text] of [
    ['config.json', '{}'],
    ['tokenizer.json', '{}'],
  ] as const)
    writeFileSync(path.join(root, name), text);
  const weights = path.join(root, 'model.safetensors');
  const tensor = { dtype: 'F32', shape: [0], data: new Uint8Array() };
  const bytes = safetensorsBytes(
    Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`t${index}`, tensor])),
  );
  writeFileSync(weights, bytes);
  expect(await snapshotProblems(root, 'org/model')).toEqual([]);
  writeFileSync(weights, bytes.subarray(0, 1000));
  expect(await snapshotProblems(root, 'org/model')).toEqual(['model.safetensors is cut off']);
});
