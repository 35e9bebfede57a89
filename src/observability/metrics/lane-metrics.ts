import type { Registry } from 'prom-client';
import type { Lane, LaneState } from '../../contracts/lane.ts';
import { counter, gauge, openCounter, openGauge } from './metric-definition.ts';

export const LANE_METRICS = {
  lanes: gauge('infinity_lanes', 'Inference processes, by their state.', ['model', 'state']),
  restarts: counter('infinity_lane_restarts_total', 'Inference processes that were started again after they ended.', [
    'model',
  ]),
};

/** All but `closed`, which is none any more. */
const STATES = { starting: true, ready: true, busy: true, lost: true, failed: true } satisfies Record<
  Exclude<LaneState, 'closed'>,
  true
>;

export interface WatchedLanes {
  /** Call when the lane has been made. */
  watch(lane: Lane, model: string): void;
  /** The model of a lane's process, now. */
  modelOfProcess(): ReadonlyMap<number, string>;
  update(): void;
}

export function openLaneMetrics(registry: Registry): WatchedLanes {
  const gauges = openGauge(registry, LANE_METRICS.lanes);
  const restarts = openCounter(registry, LANE_METRICS.restarts);
  const lanes = new Map<Lane, string>();

  return {
    watch(lane, model) {
      lanes.set(lane, model);
      restarts.inc({ model }, 0);
      const stop = lane.onStateChange((state) => {
        // Its first start is not a change.
        if (state === 'starting') restarts.inc({ model });
        if (state !== 'closed') return;
        lanes.delete(lane);
        stop();
      });
    },
    modelOfProcess: () => new Map([...lanes].flatMap(([{ pid }, model]) => (pid === undefined ? [] : [[pid, model]]))),
    update() {
      gauges.reset();
      for (const [lane, model] of lanes) {
        for (const state of Object.keys(STATES)) gauges.inc({ model, state }, state === lane.state ? 1 : 0);
      }
    },
  };
}
