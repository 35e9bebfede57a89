import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from './list-files.ts';

test('a folder with more files than a model has is refused', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'list-files-'));
  await Promise.all(['a', 'b', 'c'].map((name) => writeFile(path.join(root, name), '')));
  expect(await listFiles(root, 3)).toEqual(['a', 'b', 'c']);
  await expect(listFiles(root, 2)).rejects.toThrow(/expected a model folder of at most 2 files, got more/);
  await rm(root, { recursive: true });
});

test('a folder that cannot be read is named with the reason', async () => {
  await expect(listFiles('/nowhere/at/all')).rejects.toMatchObject({
    code: 'invalid_model_folder',
    message: "'/nowhere/at/all': expected a readable folder, got ENOENT",
  });
});
