import { existsSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeCachedModels, removeModels } from '../../src/app/cached-models.ts';
import { downloadModel } from '../../src/hub/download-model.ts';
import { COMMIT, onMain } from '../fakes/hub/hub-server.ts';
import { repositoryOf } from '../fakes/hub/repository-content.ts';
import { EMBEDDER_FILES, hubWorld } from './hub-fixture.ts';

const repositories = { 'org/model': onMain(repositoryOf(EMBEDDER_FILES)) };

test('a cached model is listed with its size, its revisions and its state, and can be removed', async () => {
  const { cacheFolder, options } = await hubWorld({ repositories });
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  const environment = { HF_HOME: path.dirname(cacheFolder) };
  const lines = await describeCachedModels(environment);
  expect(lines.slice(0, 3)).toEqual([
    `Models in ${cacheFolder}`,
    expect.stringMatching(/^ {2}org\/model {2}16\.\d kB$/),
    `    ${COMMIT.slice(0, 12)} (main): whole`,
  ]);
  expect(lines).toContain('  none');
  truncateSync(path.join(snapshot, 'model.safetensors'), 100);
  expect(await describeCachedModels(environment)).toContain(
    `    ${COMMIT.slice(0, 12)} (main): model.safetensors is cut off`,
  );
  expect(await removeModels(['org/model'], environment)).toEqual([expect.stringMatching(/^Removed org\/model: \d/)]);
  expect(existsSync(path.join(cacheFolder, 'models--org--model'))).toBe(false);
});

test.each(['org/other', '../x', 'model'])('%s, which is not there, is not removed', async (id) => {
  const { cacheFolder } = await hubWorld({ repositories });
  await expect(removeModels([id], { HF_HOME: path.dirname(cacheFolder) })).rejects.toThrow(/got none of that id/);
});
