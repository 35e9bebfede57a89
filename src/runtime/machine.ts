import { readFileSync } from 'node:fs';
import os from 'node:os';
import { parseCpuAbilities } from './cpu-abilities.ts';
import { cgroupAndParents, parseCgroupPath, parseCpuMax, threadsFor } from './cpu-quota.ts';
import { parseMemoryMax } from './memory-limit.ts';

export interface Machine {
  /** `x64`, `arm64`, … */
  readonly architecture: string;
  /** Instruction sets that matter for the choice of a graph; empty where the system does not tell. */
  readonly cpuAbilities: readonly string[];
  /** Cores that this process may use, at least 1. */
  readonly threads: number;
  /** Memory that this process may use, in bytes. */
  readonly memoryBytes: number;
}

function readIfThere(filePath: string): string {
  try {
    return readFileSync(filePath, 'utf8');
  } catch {
    return '';
  }
}

/** What `parse` finds in this file of the process's own group and of each above it. */
function groupLimits(file: string, parse: (text: string) => number | undefined): readonly number[] {
  const cgroupPath = parseCgroupPath(readIfThere('/proc/self/cgroup'));
  if (cgroupPath === undefined) return [];
  return cgroupAndParents(cgroupPath)
    .map((group) => parse(readIfThere(`/sys/fs/cgroup${group}/${file}`)))
    .filter((limit) => limit !== undefined);
}

/** What this machine offers, read from the system: ONNX Runtime is not loaded. */
export function describeMachine(): Machine {
  return {
    architecture: process.arch,
    cpuAbilities: parseCpuAbilities(readIfThere('/proc/cpuinfo')),
    threads: threadsFor(os.availableParallelism(), groupLimits('cpu.max', parseCpuMax)),
    memoryBytes: Math.min(os.totalmem(), ...groupLimits('memory.max', parseMemoryMax)),
  };
}
