import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Examination, ok } from './finding.ts';

const LIBRARIES = ['libcuda', 'libcudart', 'libcublas', 'libcudnn'] as const;

/** Which GPU and CUDA libraries the system knows. Finding none is fine: the CPU computes. */
export const examineCuda: Examination = async () => {
  if (process.platform !== 'linux') return [ok('GPU', 'looked for on Linux only; the CPU computes')];
  const known = await promisify(execFile)('ldconfig', ['-p']).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const found = LIBRARIES.filter((name) => known.includes(`${name}.so`));
  const device = existsSync('/dev/nvidiactl') ? 'an NVIDIA device' : 'no NVIDIA device';
  return [ok('GPU', `${device}; ${found.length === 0 ? 'no CUDA libraries' : found.join(', ')}; the CPU computes`)];
};
