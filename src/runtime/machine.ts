import { readFileSync } from 'node:fs';
import os from 'node:os';
import { parseCpuAbilities } from './cpu-abilities.ts';
import { cgroupAndParents, parseCgroupPath, parseCpuMax, threadsFor } from './cpu-quota.ts';

export interface Machine {
  /** `x64`, `arm64`, … */
  readonly architecture: string;
  /** Instruction sets that matter for the choice of a graph; empty where the system does not tell. */
  readonly cpuAbilities: readonly string[];
  /** Cores that this process may use, at least 1. */
  readonly threads: number;
}

function readIfThere(filePath: string): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch {
    return '';
  }
}

function cpuQuotas(): readonly number[] {
  const cgroupPath = parseCgroupPath(readIfThere('/proc/self/cgroup'));
  if (cgroupPath === undefined) return [];
  return cgroupAndParents(cgroupPath)
    .map((group) => parseCpuMax(readIfThere(`/sys/fs/cgroup${group}/cpu.max`)))
    .filter((quota) => quota !== undefined);
}

/** What this machine offers, read from the system: ONNX Runtime is not loaded. */
export function describeMachine(): Machine {
  return {
    architecture: process.arch,
    cpuAbilities: parseCpuAbilities(readIfThere('/proc/cpuinfo')),
    threads: threadsFor(os.availableParallelism(), cpuQuotas()),
  };
}
