import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RESULTS } from './python-environment.mjs';

const MODULE = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
/** It is compiled from its sources, on few cores. */
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/**
 * Helm as it is installed, or built by Go where that is; or why it cannot be had.
 * @returns {{ helm: string } | { problem: string }}
 */
export function findHelm() {
  if (spawnSync('helm', ['version']).status === 0) return { helm: 'helm' };
  const folder = path.join(RESULTS, 'bin');
  const helm = path.join(folder, 'helm');
  if (existsSync(helm)) return { helm };
  if (spawnSync('go', ['version']).status !== 0) return { problem: 'there is no helm, and no Go to build it' };
  console.log('Building Helm ...');
  const environment = { ...process.env, GOBIN: folder, GOFLAGS: '-ldflags=-s' };
  const built = spawnSync('go', ['install', MODULE], {
    env: environment,
    timeout: INSTALL_TIMEOUT_MS,
    encoding: 'utf8',
  });
  if (built.status === 0) return { helm };
  return { problem: `${MODULE} cannot be built: ${(built.stderr ?? '').trim().split('\n').at(-1)}` };
}
