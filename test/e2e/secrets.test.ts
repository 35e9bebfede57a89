// Keys that change while a server runs.
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
