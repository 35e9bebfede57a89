import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { downloadModel } from '../../src/hub/download-model.ts';
import { resolveModel } from '../../src/hub/resolve-model.ts';
import { COMMIT, onMain } from '../fakes/hub/hub-server.ts';
import { repositoryOf } from '../fakes/hub/repository-content.ts';
import { EMBEDDER_FILES, type HubWorld, hubWorld, NEEDED_FILES } from './hub-fixture.ts';

/** An interpreter that has huggingface_hub: `HUB_PYTHON=/path/to/python npx vitest run --project hub`. */
const { HUB_PYTHON } = process.env;
if (HUB_PYTHON === undefined) console.log('The cache of Python is not compared: HUB_PYTHON is not set.');

const repositories = { 'org/model': onMain(repositoryOf(EMBEDDER_FILES)) };

/** Runs a program in Python on the same cache and hub; resolves with what it prints. */
async function python(world: HubWorld, program: string, environment: Readonly<Record<string, string>> = {}) {
  const { stdout } = await promisify(execFile)(HUB_PYTHON ?? '', ['-c', program], {
    env: {
      PATH: process.env.PATH,
      HF_HUB_CACHE: world.cacheFolder,
      HF_ENDPOINT: world.server.endpoint,
      ...environment,
    },
  });
  return stdout.trim();
}

/** Names of the tree below a folder, links with where they point. */
function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const name = path.join(entry.parentPath, entry.name);
      const target = entry.isSymbolicLink() ? ` -> ${readlinkSync(name)}` : '';
      return path.relative(folder, name) + target;
    })
    .sort();
}

describe.skipIf(HUB_PYTHON === undefined)('the cache that Python shares', () => {
  const patterns = JSON.stringify(NEEDED_FILES);
  const snapshotDownload = `from huggingface_hub import snapshot_download; print(snapshot_download('org/model', allow_patterns=${patterns}))`;

  test('what Python downloaded is served without a request', async () => {
    const world = await hubWorld({ repositories });
    const snapshot = await python(world, snapshotDownload);
    await world.server.close();
    const options = { ...world.options, useBundled: true };
    const resolved = await resolveModel('org/model', options);
    expect(resolved).toMatchObject({ source: 'cache', commit: COMMIT, folder: { path: snapshot } });
  });

  test('what was downloaded here Python uses offline, and both make the same tree', async () => {
    const world = await hubWorld({ repositories });
    const { path: snapshot } = await downloadModel('org/model', 'main', world.options);
    expect(await python(world, snapshotDownload, { HF_HUB_OFFLINE: '1' })).toBe(snapshot);

    const theirs = await hubWorld({ repositories });
    await python(theirs, snapshotDownload);
    // `trees/` is the newest version's memory of listings; it makes it again when it is not there.
    const shared = tree(path.join(theirs.cacheFolder, 'models--org--model')).filter(
      (name) => !name.startsWith('trees/'),
    );
    expect(tree(path.join(world.cacheFolder, 'models--org--model'))).toEqual(shared);
  });

  test('what Python has of a model is not fetched again, and the rest is', async () => {
    const world = await hubWorld({ repositories });
    await python(
      world,
      "from huggingface_hub import hf_hub_download; hf_hub_download('org/model', 'model.safetensors')",
    );
    const before = world.server.requests.length;
    expect(await resolveModel('org/model', { ...world.options, useBundled: true })).toMatchObject({ source: 'hub' });
    const fetched = world.server.requests.slice(before).filter(({ host }) => host === 'cdn');
    expect(fetched.filter(({ path: url }) => url.includes('model.safetensors'))).toEqual([]);
    expect(fetched.filter(({ path: url }) => url.includes('tokenizer.json'))).toHaveLength(1);
  });
});
