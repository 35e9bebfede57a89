import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  let notices = 0;
  const stop = watchFiles(
    [path.join(folder, 'keys')],
    () => {
      notices += 1;
    },
    5,
  );

  // How the file was is looked at without waiting: a change that comes before that is none.
  async function untilNoticed(change: (attempt: number) => void): Promise<void> {
    const before = notices;
    for (let attempt = 0; notices === before; attempt += 1) {
      change(attempt);
      await sleep(50);
    }
  }
  await untilNoticed((attempt) => {
    symlinkSync(attempt % 2 === 0 ? '2' : '1', path.join(folder, 'new'));
    renameSync(path.join(folder, 'new'), path.join(folder, '..data'));
  });
  await untilNoticed((attempt) => writeFileSync(path.join(folder, 'keys'), `another text ${attempt}`));
  stop();
  expect(notices).toBeGreaterThanOrEqual(2);
});
