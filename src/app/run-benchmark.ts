import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BENCHMARK = fileURLToPath(new URL('../../bench/main.mjs', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the benchmark of the package in a process of its own, on this process's output, and resolves with its exit code. It ends
 * with this process: the servers that it has started end with it.
 */
export async function runBenchmark(options: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [BENCHMARK, ...options], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1;
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}
