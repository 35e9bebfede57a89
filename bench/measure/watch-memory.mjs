import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Starts to watch the memory of these processes and all that they start.
 *
 * @param {readonly number[]} pids
 * @returns {() => Promise<ReadonlyMap<number, number>>} ends it: the peak of each tree in MB; empty where the system does
 *   not tell
 */
export function watchMemory(pids) {
  if (!existsSync('/proc/self/smaps_rollup')) return async () => new Map();
  const worker = new Worker(new URL('./memory-worker.mjs', import.meta.url), { workerData: pids });
  return async () => {
    const answer = once(worker, 'message');
    worker.postMessage('stop');
    const [peaks] = await answer;
    return peaks;
  };
}
