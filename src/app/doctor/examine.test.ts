import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { examineCaches } from './examine-caches.ts';
import { examineHub } from './examine-hub.ts';
import { examineMachine } from './examine-machine.ts';

const COMMIT = 'a'.repeat(40);

test('the machine is described, and is fit to run the tests', async () => {
  const findings = await examineMachine({});
  expect(findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Platform', 'CPU', 'Threads', 'Memory']),
  );
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
});

test('a half downloaded model and a cache that cannot be written are named with what to do', async () => {
  const home = temporaryFolder();
  const snapshot = path.join(home, 'hub/models--org--model/snapshots', COMMIT);
  mkdirSync(snapshot, { recursive: true });
  writeFileSync(path.join(snapshot, 'config.json'), '{}');
  expect(await examineCaches({ HF_HOME: home })).toMatchObject([
    { state: 'ok', subject: 'Cache of models' },
    { state: 'ok', subject: 'Cache of graphs' },
    {
      state: 'warning',
      subject: 'Model org/model',
      found: 'model.safetensors is missing; tokenizer.json is missing',
      advice: 'infinity download org/model',
    },
  ]);
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  expect(await examineCaches({ HF_HOME: file })).toMatchObject([
    { state: 'warning', found: `${path.join(file, 'hub')} cannot be written` },
    { state: 'warning', advice: expect.stringContaining('INFINITY_HOME names another folder') },
  ]);
});

test('a hub that may not be asked is not asked', async () => {
  expect(await examineHub({ HF_HUB_OFFLINE: '1' })).toEqual([
    { state: 'ok', subject: 'Hub', found: 'HF_HUB_OFFLINE is set: models come from folders and the cache alone' },
  ]);
});

test('a hub that cannot be reached is a warning', async () => {
  const [finding] = await examineHub({ HF_ENDPOINT: 'http://127.0.0.1:9', HF_HOME: temporaryFolder() });
  expect(finding).toMatchObject({ state: 'warning', found: expect.stringContaining('cannot be reached') });
});
