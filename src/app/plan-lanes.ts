export interface LanesQuestion {
  /** That this process may use. */
  readonly cores: number;
  readonly memoryBytes: number;
  /** Of the compiled graph and its weights. */
  readonly modelBytes: number;
  /** That share the memory. */
  readonly models: number;
  /** As set; 0 asks for a choice. */
  readonly lanes: number;
  readonly threads: number;
}

export interface LanesPlan {
  readonly lanes: number;
  /** Of each lane. */
  readonly threads: number;
}

/**
 * A run of a text model has no work for more: its operators are as small as a few hundred tokens times a few hundred
 * dimensions, and each thread waits for all others after each.
 */
const MOST_THREADS = 8;
/** What all lanes of all models may take; the rest is for runs, the server's process and the page cache. */
const SHARE_OF_MEMORY = 1 / 2;
/** A lane maps the weights and holds a packed copy of them, in a Node.js process with ONNX Runtime. */
const COPIES_OF_WEIGHTS = 2;
const LANE_BYTES = 150 * 2 ** 20;

/**
 * How many inference processes a model gets, and how many threads each: one process with all cores up to `MOST_THREADS`, then
 * as many more as there are cores for, while memory allows. Every model is planned as if it were alone: they take turns.
 */
export function planLanes(question: LanesQuestion): LanesPlan {
  const { cores, memoryBytes, modelBytes, models, lanes, threads } = question;
  if (lanes > 0) return { lanes, threads: threads > 0 ? threads : Math.max(1, Math.floor(cores / lanes)) };
  const ofEach = threads > 0 ? threads : Math.min(cores, MOST_THREADS);
  const byMemory = (memoryBytes * SHARE_OF_MEMORY) / models / laneBytes(modelBytes);
  return { lanes: Math.max(1, Math.floor(Math.min(cores / ofEach, byMemory))), threads: ofEach };
}

/** What a lane takes of the memory, about. */
export function laneBytes(modelBytes: number): number {
  return COPIES_OF_WEIGHTS * modelBytes + LANE_BYTES;
}
