import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProgress } from '../observability/create-progress.ts';
import { bundledModels } from './bundled-models.ts';
import { readHubEnvironment } from './hub-environment.ts';
import { type ResolveOptions, resolveModel } from './resolve-model.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'resolve-model-'));
});
afterEach(() => rm(root, { recursive: true }));

const warnings: string[] = [];
const ignore = () => undefined;
const logger = { error: ignore, info: ignore, debug: ignore, warning: (message: string) => warnings.push(message) };

/** Without network, with an empty cache. */
const resolved = (id: string, options: Partial<ResolveOptions> = {}) =>
  resolveModel(id, {
    hub: readHubEnvironment({ HF_HOME: root, HF_HUB_OFFLINE: '1' }),
    logger,
    progress: createProgress({ logger }),
    signal: new AbortController().signal,
    useBundled: true,
    ...options,
  });

test.each(['BAAI/bge-small-en-v1.5', 'michaelfeil/bge-small-en-v1.5'])(
  '%s resolves to the exact bundled copy',
  async (id) => {
    expect(await resolved(id)).toMatchObject({
      source: 'bundled',
      exact: true,
      commit: undefined,
      folder: { id, config: { model_type: 'bert' }, modules: [{}, { type: 'Pooling' }, {}] },
    });
  },
);

test('a derived bundled copy stands in where the hub cannot be had, with a warning', async () => {
  warnings.length = 0;
  expect(await resolved('cross-encoder/ms-marco-MiniLM-L-12-v2')).toMatchObject({ source: 'bundled', exact: false });
  expect(warnings).toEqual([
    expect.stringMatching(/HF_HUB_OFFLINE forbids to download it\. A bundled copy stands in\./),
  ]);
});

test.each([
  ['a revision', { revision: 'main' }],
  ['bundled copies switched off', { useBundled: false }],
])('with %s no bundled copy stands in', async (_name, options) => {
  for (const id of ['BAAI/bge-small-en-v1.5', 'cross-encoder/ms-marco-MiniLM-L-12-v2']) {
    await expect(resolved(id, options)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: `model '${id}': revision 'main' is not there in the cache '${path.join(root, 'hub')}', and HF_HUB_OFFLINE forbids to download it`,
    });
  }
});

test('a local folder is found by its absolute and by its relative path', async () => {
  await writeFile(path.join(root, 'config.json'), '{}');
  for (const id of [root, `${root}/`, path.relative(process.cwd(), root)]) {
    expect(await resolved(id)).toMatchObject({ source: 'local', exact: true, folder: { id, path: root } });
  }
});

test('a tilde stands for the home folder', async () => {
  const expected = path.join(homedir(), 'no-such-model-folder');
  await expect(resolved('~/no-such-model-folder')).rejects.toThrow(`there is no folder '${expected}'`);
});

test.each(['/models/nowhere', './bge', '../a/b', 'a/b/c', 'a--b', 'x'.repeat(5000), 'zero\0byte', 'org/name?x=1'])(
  'an id that is neither a folder nor an id of the hub is unavailable, with what was looked for',
  async (id) => {
    await expect(resolved(id)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(
        /expected a local folder or a model id such as 'BAAI\/bge-m3'; there is no folder '/,
      ),
    });
  },
);

test.each(['', '  '])('an empty id is unavailable', async (id) => {
  await expect(resolved(id)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/got an empty string/),
  });
});

test('a local file, and a path that cannot be followed, are refused by name', async () => {
  await writeFile(path.join(root, 'model.gguf'), 'x');
  await symlink('circle', path.join(root, 'circle'));
  await expect(resolved(path.join(root, 'model.gguf'))).rejects.toThrow(/expected a model folder, got a file/);
  await expect(resolved(path.join(root, 'circle'))).rejects.toThrow(/expected a readable folder, got ELOOP/);
});

test('the bundled list is read relative to any models folder, and a damaged one is refused', async () => {
  await mkdir(path.join(root, 'models'));
  const modelsPath = path.join(root, 'models');
  await expect(bundledModels(modelsPath)).rejects.toMatchObject({ code: 'model_unavailable' });
  await writeFile(path.join(modelsPath, 'bundled.json'), '[{"id":"a/b","folder":"b","exact":true}]');
  const expected = { id: 'a/b', aliases: [], path: path.join(modelsPath, 'b'), exact: true };
  expect(await bundledModels(modelsPath)).toEqual([expected]);
  await writeFile(path.join(modelsPath, 'bundled.json'), '[{"id":"a/b"}]');
  await expect(bundledModels(modelsPath)).rejects.toThrow(/expected rows of id, folder and exact/);
});
