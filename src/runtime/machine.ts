import { readFileSync } from 'node:fs';
import os from 'node:os';
import { readGroupLimits } from './control-group.ts';
import { parseCpuAbilities } from './cpu-abilities.ts';

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

/**
 * What this machine offers, less what a container withholds, read from the system: ONNX Runtime is not loaded. `readText`
 * gives a file's text, empty where there is none.
 */
export function describeMachine(readText: (filePath: string) => string = readIfThere): Machine {
  const { cores, memoryBytes } = readGroupLimits(readText);
  return {
    architecture: process.arch,
    cpuAbilities: parseCpuAbilities(readText('/proc/cpuinfo')),
    // Whole ones: a thread more than granted would be stopped in the middle of a run.
    threads: Math.max(1, Math.floor(Math.min(os.availableParallelism(), ...cores))),
    memoryBytes: Math.min(os.totalmem(), ...memoryBytes),
  };
}
