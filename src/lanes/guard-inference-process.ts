import { Worker } from 'node:worker_threads';
import type { LaunchArguments } from './launch-arguments.ts';

/** Ctrl+C and service managers send these to the whole process group; only the server decides when a lane ends. */
const IGNORED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Makes this process live exactly as long as its parent wants it to. Call it first. */
export function guardInferenceProcess({ parentPid, title }: LaunchArguments): void {
  process.title = title;
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => {});
  const watch = new Worker(new URL('./parent-watch-worker.js', import.meta.url), {
    workerData: parentPid,
    // The thread needs next to nothing; without limits its heap is sized like the main one.
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  watch.unref();
}
