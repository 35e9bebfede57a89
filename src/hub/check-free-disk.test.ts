import { expect, test } from 'vitest';
import { checkFreeDisk } from './check-free-disk.ts';

test('a download that the disk cannot take is refused before it begins', async () => {
  const free = async () => 2_000_000;
  await checkFreeDisk('/cache', 2_000_000, 'a/b', free);
  await expect(checkFreeDisk('/cache', 2_300_000_000, 'a/b', free)).rejects.toMatchObject({
    code: 'model_unavailable',
    message:
      "model 'a/b': the download needs 2.3 GB, and the disk of '/cache' has 2.0 MB left; make room, or name another folder with HF_HOME or HF_HUB_CACHE",
  });
});

test('a system that does not tell its free space is trusted', async () => {
  await checkFreeDisk('/cache', 5, 'a/b', () => Promise.reject(new Error('ENOSYS')));
});
