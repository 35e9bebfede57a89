// A virtual environment with pinned Python packages, for checks with tools that only PyPI has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const RESULTS = fileURLToPath(new URL('../test-results/', import.meta.url));

/** Hundreds of megabytes take about a minute where the registry is near. */
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/**
 * The folder of the environment's programs, made where it is not there yet and again when the pins change; or why it cannot
 * be had.
 * @returns {{ bin: string } | { problem: string }}
 */
export function preparePython(name, requirements) {
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = path.join(RESULTS, `${name}-${key}`);
  const bin = path.join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return { bin };
  if (spawnSync('python3', ['-m', 'venv', folder]).status !== 0) {
    return { problem: 'there is no python3 that can make a virtual environment' };
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '-r', requirements];
  const installed = spawnSync(path.join(bin, 'python'), pip, { timeout: INSTALL_TIMEOUT_MS, encoding: 'utf8' });
  if (installed.status !== 0) {
    const reason = installed.stderr.trim().split('\n').at(-1);
    return { problem: `its Python packages cannot be installed (is PyPI reachable?): ${reason}` };
  }
  writeFileSync(done, '');
  return { bin };
}
