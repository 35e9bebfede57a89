import { writeFile } from 'node:fs/promises';
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
