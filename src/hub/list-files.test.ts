import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { listFiles } from './list-files.ts';

test('a folder with more files than a model has is refused', async () => {
  const root = temporaryFolder();
  await Promise.all(['a', 'b', 'c'].map((name) => writeFile(path.join(root, name), '')));
  expect(await listFiles(root, 3)).toEqual(['a', 'b', 'c']);
  await expect(listFiles(root, 2)).rejects.toThrow(/expected a model folder of at most 2 files, got more/);
});

test('a folder that cannot be read is named with the reason', async () => {
  await expect(listFiles('/nowhere/at/all')).rejects.toMatchObject({
    code: 'invalid_model_folder',
    message: "'/nowhere/at/all': expected a readable folder, got ENOENT",
  });
});

test.each([
  ['a file outside', 'vocab.txt', '/etc/passwd'],
  ['a file outside, by a relative path', 'vocab.txt', '../secret/passwd'],
  ['a folder outside', '1_Pooling', '../secret'],
  ['a link that leads out', 'vocab.txt', 'inner'],
  ['a folder whose name begins like that of the model', 'vocab.txt', '../model-secret/passwd'],
])('a link to %s is refused', async (_, name, target) => {
  const parent = temporaryFolder();
  const root = path.join(parent, 'model');
  for (const folder of ['model', 'secret', 'model-secret']) await mkdir(path.join(parent, folder));
  for (const folder of ['secret', 'model-secret']) await writeFile(path.join(parent, folder, 'passwd'), 'x');
  await symlink('../secret/passwd', path.join(root, '.inner'));
  await symlink('.inner', path.join(root, 'inner'));
  if (target !== 'inner') await rm(path.join(root, 'inner'));
  await symlink(target, path.join(root, name));
  await expect(listFiles(root)).rejects.toMatchObject({
    code: 'invalid_model_folder',
    message: expect.stringContaining("expected a link that stays in the model's folder, got one that leads out of it"),
  });
});

test('links within the folder are followed, and the folder itself may be one', async () => {
  const parent = temporaryFolder();
  // As a mounted secret or ConfigMap of Kubernetes.
  await mkdir(path.join(parent, 'model/..2026'), { recursive: true });
  await writeFile(path.join(parent, 'model/..2026/config.json'), '{}');
  await symlink('..2026', path.join(parent, 'model/..data'));
  await symlink('..data/config.json', path.join(parent, 'model/config.json'));
  await symlink('model', path.join(parent, 'link'));
  expect(await listFiles(path.join(parent, 'link'))).toEqual(['config.json']);
});

test('a snapshot of the cache reaches its own blobs alone', async () => {
  const cache = temporaryFolder();
  const snapshot = path.join(cache, 'models--a--b/snapshots/main');
  await mkdir(snapshot, { recursive: true });
  for (const repository of ['models--a--b', 'models--a--other']) {
    await mkdir(path.join(cache, repository, 'blobs'), { recursive: true });
    await writeFile(path.join(cache, repository, 'blobs/abc'), 'x');
  }
  await symlink('../../blobs/abc', path.join(snapshot, 'config.json'));
  expect(await listFiles(snapshot)).toEqual(['config.json']);
  await symlink('../../../models--a--other/blobs/abc', path.join(snapshot, 'vocab.txt'));
  await expect(listFiles(snapshot)).rejects.toThrow('leads out of it');
});
