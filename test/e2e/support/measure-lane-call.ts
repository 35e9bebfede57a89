import type { Tensor } from '../../../src/contracts/inference-session.ts';
import type { Lane } from '../../../src/contracts/lane.ts';

export interface CallTimes {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/**
 * Times `calls` runs of the same inputs, one after the other, on a lane that nobody else uses; a tenth more go unmeasured
 * first.
 */
export async function measureLaneCall(lane: Lane, inputs: readonly Tensor[], calls: number): Promise<CallTimes> {
  for (let call = 0; call < calls / 10; call += 1) await lane.run(inputs);
  const timesMs: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const startedMs = performance.now();
    await lane.run(inputs);
    timesMs.push(performance.now() - startedMs);
  }
  timesMs.sort((a, b) => a - b);
  const at = (share: number): number => timesMs[Math.min(calls - 1, Math.floor(share * calls))] ?? Number.NaN;
  return { calls, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
