// Runs in a worker thread of an inference process, because a run blocks the main thread, where the end of the channel would
// otherwise be noticed. SIGKILL is the only end that needs no help from that thread.
import { workerData } from 'node:worker_threads';
import { isParentGone } from './is-parent-gone.ts';

const CHECK_INTERVAL_MS = 200;

setInterval(() => {
  if (isParentGone(Number(workerData))) process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
