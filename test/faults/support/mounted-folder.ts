import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterTest, temporaryFolder } from './faulty-server.ts';

/** Whether file systems may be mounted: by root, and not in every container. Tests that need one say that they are skipped. */
export const MAY_MOUNT = tryMount();

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
}

function tryMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'infinity-mount-'));
  try {
    mount(folder, 'size=65536');
    execFileSync('umount', [folder]);
    return true;
  } catch {
    console.log('No file system can be mounted here: the tests of full disks are skipped.');
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** An empty folder on a file system of its own with these options of tmpfs, as `size=65536`. */
export function mountedFolder(options: string): string {
  const folder = temporaryFolder();
  mount(folder, options);
  afterTest(() => {
    execFileSync('umount', ['-l', folder]);
  });
  return folder;
}

/** An empty folder that nobody may write to, not even root. */
export function readOnlyFolder(): string {
  if (MAY_MOUNT) return mountedFolder('ro');
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  return folder;
}
