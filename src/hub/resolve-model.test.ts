import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundledModels } from './bundled-models.ts';
import { resolveModel } from './resolve-model.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'resolve-model-'));
});
afterEach(() => rm(root, { recursive: true }));

test('each bundled id resolves to its folder and says whether it is exact', async () => {
  expect(await resolveModel('BAAI/bge-small-en-v1.5')).toMatchObject({
    source: 'bundled',
    exact: true,
    folder: { id: 'BAAI/bge-small-en-v1.5', config: { model_type: 'bert' }, modules: [{}, { type: 'Pooling' }, {}] },
  });
  expect(await resolveModel('cross-encoder/ms-marco-MiniLM-L-12-v2')).toMatchObject({
    source: 'bundled',
    exact: false,
  });
});

test('a local folder is found by its absolute and by its relative path', async () => {
  await writeFile(path.join(root, 'config.json'), '{}');
  for (const id of [root, `${root}/`, path.relative(process.cwd(), root)]) {
    expect(await resolveModel(id)).toMatchObject({ source: 'local', exact: true, folder: { id, path: root } });
  }
});

test('a tilde stands for the home folder', async () => {
  const expected = path.join(homedir(), 'no-such-model-folder');
  await expect(resolveModel('~/no-such-model-folder')).rejects.toThrow(`there is no folder '${expected}'`);
});

test.each(['BAAI/bge-m3', '/models/nowhere', 'x'.repeat(5000), 'zero\0byte'])(
  'an id that is neither a folder nor bundled is unavailable, with what was looked for',
  async (id) => {
    await expect(resolveModel(id)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(
        /there is no folder '[^']+', and the bundled models are BAAI\/bge-small-en-v1\.5, cross-encoder\/ms-marco-MiniLM-L-12-v2 \(this version does not download models\)/,
      ),
    });
  },
);

test.each(['', '  '])('an empty id is unavailable', async (id) => {
  await expect(resolveModel(id)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/got an empty string/),
  });
});

test('a local file, and a path that cannot be followed, are refused by name', async () => {
  await writeFile(path.join(root, 'model.gguf'), 'x');
  await symlink('circle', path.join(root, 'circle'));
  await expect(resolveModel(path.join(root, 'model.gguf'))).rejects.toThrow(/expected a model folder, got a file/);
  await expect(resolveModel(path.join(root, 'circle'))).rejects.toThrow(/expected a readable folder, got ELOOP/);
});

test('the bundled list is read relative to any models folder, and a damaged one is refused', async () => {
  await mkdir(path.join(root, 'models'));
  const modelsPath = path.join(root, 'models');
  await expect(bundledModels(modelsPath)).rejects.toMatchObject({ code: 'model_unavailable' });
  await writeFile(path.join(modelsPath, 'bundled.json'), '[{"id":"a/b","folder":"b","exact":true}]');
  expect(await bundledModels(modelsPath)).toEqual([{ id: 'a/b', path: path.join(modelsPath, 'b'), exact: true }]);
  await writeFile(path.join(modelsPath, 'bundled.json'), '[{"id":"a/b"}]');
  await expect(bundledModels(modelsPath)).rejects.toThrow(/expected rows of id, folder and exact/);
});
