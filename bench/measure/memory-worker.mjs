// Watches the memory of process trees in a thread of its own: a look at a large process takes milliseconds, which would
// appear in the latencies of the clients.
import { parentPort, workerData } from 'node:worker_threads';
import { treeMemoryMb } from './process-memory.mjs';

const INTERVAL_MS = 500;
/** @type {readonly number[]} */
const pids = workerData;
const peaks = new Map(pids.map((pid) => [pid, 0]));

function look() {
  for (const [pid, peak] of peaks) {
    try {
      peaks.set(pid, Math.max(peak, treeMemoryMb(pid)));
    } catch {
      // A process of the tree ended while it was read.
    }
  }
}

look();
const timer = setInterval(look, INTERVAL_MS);
parentPort?.once('message', () => {
  clearInterval(timer);
  look();
  parentPort?.postMessage(peaks);
});
