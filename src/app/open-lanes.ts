import path from 'node:path';
import type { CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Lane } from '../contracts/lane.ts';
import { folderBytes } from '../hub/list-cached-models.ts';
import { startLane } from '../lanes/start-lane.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';
import type { CacheLookup } from './compile-cache/compile-cache.ts';
import type { LoadContext } from './load-model.ts';
import { type LanesPlan, laneBytes, planLanes } from './plan-lanes.ts';

export interface OpenLanes {
  readonly compiled: CompiledModel;
  readonly lanes: readonly Lane[];
  /** Of each lane. */
  readonly threads: number;
}

/** A graph is read from its disk at least so fast while it is opened. */
const SLOWEST_READ_BYTES_PER_MS = 10_000;

export interface GraphToOpen {
  /** To compile it again. */
  readonly request: Omit<CompileRequest, 'outputFolder'>;
  readonly found: CacheLookup;
}

/**
 * Opens the model's lanes on the compiled graph and prepares the rest meanwhile. A graph from the cache that cannot be opened,
 * or whose bytes are not those that were written, is compiled anew, once.
 */
export async function openLanes(
  { request, found }: GraphToOpen,
  settings: ModelSettings,
  context: LoadContext,
  prepare: (model: CompiledModel) => Promise<void>,
): Promise<OpenLanes> {
  let { model: compiled, cached } = found;
  let isSecondTry = false;
  for (;;) {
    const modelBytes = await graphBytes(compiled);
    const plan = planFor(modelBytes, settings, context);
    context.logger.debug('Inference processes.', { model: settings.servedModelName, ...plan });
    const lanes = startLanes({ compiled, modelBytes, plan }, settings, context);
    // Settled before the first await, so that a lane that fails while the tokenizer loads is not an unhandled rejection.
    const [prepared, opened, checked] = await Promise.allSettled([
      prepare(compiled),
      Promise.all(lanes.map((lane) => lane.whenReady())),
      cached ? context.cache.isIntact(request.contentKey) : true,
    ]);
    const isIntact = checked.status === 'fulfilled' && checked.value;
    if (prepared.status === 'fulfilled' && opened.status === 'fulfilled' && isIntact) {
      return { compiled, lanes, threads: plan.threads };
    }
    await Promise.all(lanes.map((lane) => lane.close()));
    if (prepared.status === 'rejected') throw prepared.reason;
    const mayRetry = cached && !isSecondTry && !context.signal.aborted;
    if (opened.status === 'rejected' && !mayRetry) throw opened.reason;
    if (!mayRetry) throw damagedAgain(request.modelId);
    context.logger.warning(
      `The compiled graph of '${request.modelId}' in the cache ${isIntact ? 'cannot be opened' : 'is damaged'}; compiling it again.`,
    );
    await context.cache.discard(request.contentKey);
    ({ model: compiled, cached } = await context.cache.findOrCompile(request, context.signal));
    isSecondTry = true;
  }
}

function damagedAgain(modelId: string): ServiceError {
  const message = `The compiled graph of '${modelId}' in the cache is damaged, and was so before it was compiled again.`;
  return new ServiceError('model_failed', message);
}

/** What the lanes of a model will take of the memory, about. */
export async function estimateMemory(
  compiled: CompiledModel,
  settings: ModelSettings,
  context: LoadContext,
): Promise<number> {
  const modelBytes = await graphBytes(compiled);
  return planFor(modelBytes, settings, context).lanes * laneBytes(modelBytes);
}

function planFor(modelBytes: number, settings: ModelSettings, context: LoadContext): LanesPlan {
  return planLanes({
    cores: context.machine.threads,
    memoryBytes: context.machine.memoryBytes,
    modelBytes,
    models: context.modelCount,
    lanes: settings.lanes,
    threads: settings.threads,
  });
}

interface LanesToStart {
  readonly compiled: CompiledModel;
  readonly modelBytes: number;
  readonly plan: LanesPlan;
}

function startLanes(
  { compiled, modelBytes, plan }: LanesToStart,
  { servedModelName }: ModelSettings,
  context: LoadContext,
): readonly Lane[] {
  return Array.from({ length: plan.lanes }, () => {
    const lane = startLane({
      compiled,
      name: servedModelName,
      threads: plan.threads,
      laneMain: context.laneMain,
      logger: context.logger,
      startLimitMs: startLimitMs(context.limits.runTimeoutS, modelBytes),
    });
    context.onLane(lane, servedModelName);
    return lane;
  });
}

function startLimitMs(leastS: number, modelBytes: number): number | undefined {
  return leastS === 0 ? undefined : Math.max(leastS * 1000, modelBytes / SLOWEST_READ_BYTES_PER_MS);
}

/** Of the graph and its weights. */
function graphBytes({ graphPath }: CompiledModel): Promise<number> {
  return folderBytes(path.dirname(graphPath));
}
