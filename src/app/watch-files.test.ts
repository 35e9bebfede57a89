import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { watchFiles } from './watch-files.ts';

test('a file that is written, and one whose folder is another now, are noticed', async () => {
  const folder = temporaryFolder();
  for (const version of ['1', '2']) {
    mkdirSync(path.join(folder, version));
    writeFileSync(path.join(folder, version, 'keys'), version);
  }
  // As Kubernetes mounts a secret.
  symlinkSync('1', path.join(folder, '..data'));
  symlinkSync('..data/keys', path.join(folder, 'keys'));
  const watched = path.join(folder, 'keys');
  let notice = () => {};
  const noticed = () =>
    new Promise<void>((resolve) => {
      notice = resolve;
    });
  const stop = watchFiles([watched], () => notice(), 5);

  const linked = noticed();
  symlinkSync('2', path.join(folder, 'new'));
  renameSync(path.join(folder, 'new'), path.join(folder, '..data'));
  await linked;
  const written = noticed();
  writeFileSync(watched, 'another text');
  await written;
  stop();
  expect.assertions(0);
});
