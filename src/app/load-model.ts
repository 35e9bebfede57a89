import type { CompileRequest } from '../contracts/compile-job.ts';
import type { Compilation, CompiledModel } from '../contracts/compiled-model.ts';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { RunReport } from '../contracts/scheduler.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import { debugModel } from '../engine/debug-model.ts';
import type { OpenModel, PreparedModel } from '../engine/lifecycle/model-source.ts';
import { calibrationVectors } from '../engine/quantization/calibration-vectors.ts';
import { needsRanges } from '../engine/quantization/quantize-vector.ts';
import { readPrompts } from '../engine/read-prompts.ts';
import type { HubEnvironment } from '../hub/hub-environment.ts';
import { bytesText } from '../observability/bytes-text.ts';
import type { Progress } from '../observability/create-progress.ts';
import { readProcess } from '../observability/metrics/read-process.ts';
import type { Machine } from '../runtime/machine.ts';
import type { CoreTurns } from '../scheduling/core-turns.ts';
import { createScheduler } from '../scheduling/create-scheduler.ts';
import type { ModelSettings, ServeSettings } from '../settings/serve-settings.ts';
import { openTokenizer } from '../tokenization/open-tokenizer.ts';
import { describeQuality } from '../tuning/judge-quality.ts';
import { chooseSource } from './choose-source.ts';
import type { CacheLookup, CompileCache } from './compile-cache/compile-cache.ts';
import { learnCosts } from './learn-costs.ts';
import { onQualityLossOf } from './on-quality-loss.ts';
import { estimateMemory, openLanes } from './open-lanes.ts';
import { resolveForEngine, resolveOnnxFile } from './resolve-for-engine.ts';
import type { VectorCache } from './vector-cache/open-vector-cache.ts';

/** What every model of a service shares. */
export interface LoadContext {
  readonly cache: CompileCache;
  readonly vectorCache: VectorCache;
  readonly laneMain: string;
  readonly machine: Machine;
  /** That the models take turns on. */
  readonly cores: CoreTurns;
  /** How many share the machine. */
  readonly modelCount: number;
  readonly limits: Pick<ServeSettings, 'maxBatchTokens' | 'maxQueuedTokens' | 'maxQueuedItems' | 'runTimeoutS'>;
  readonly logger: Logger;
  /** For work that nobody waits for, one task after the other. */
  readonly inBackground: (task: () => Promise<void>) => void;
  readonly signal: AbortSignal;
  readonly hub: HubEnvironment;
  readonly progress: Progress;
  /** Whether the copies that ship with the package may be used. */
  readonly useBundled: boolean;
  /** Told of every lane as soon as it exists, so that whoever ends the service can end it too. */
  readonly onLane: (lane: Lane, servedName: string) => void;
  /** Told of every run of every model. */
  readonly onRun?: ((servedName: string, run: RunReport) => void) | undefined;
}

/** Told what becomes known of a model while it loads. */
export interface LoadListener {
  /** The commit of its repository; `undefined` for local folders and bundled copies. */
  readonly onResolved: (commit: string | undefined) => void;
  readonly onCompiled: (model: CompiledModel) => void;
}

/** Model files -> compiled graph, from the cache or made now. Rejects with a `ServiceError`. */
export async function prepareModel(
  settings: ModelSettings,
  context: LoadContext,
  { onResolved, onCompiled }: LoadListener,
): Promise<PreparedModel> {
  if (settings.engine === 'debugengine') {
    const model = debugModel();
    onCompiled(model.compiled);
    const open = { model, memoryBytes: async () => 0, close: async () => {} };
    return { estimatedBytes: 0, open: async () => open };
  }
  const { folder: resolved, source, exact, commit } = await resolveForEngine(settings, context);
  onResolved(commit);
  context.logger.info(`Reading '${settings.modelId}'.`, { source, commit, folder: resolved.path });
  if (!exact) {
    context.logger.warning(
      `'${settings.modelId}' is served from a bundled copy that was derived from 8-bit weights: scores differ a little from the public checkpoint.`,
    );
  }
  const { engine, folder, ...chosen } = await chooseSource(resolved, settings, {
    ...context,
    withOnnxFile: async () => (await resolveOnnxFile(settings, context)).folder,
  });
  const { modelId, dtype, task, poolingMethod: pooling } = settings;
  const { architecture, cpuAbilities, threads: cores } = context.machine;
  const request = {
    modelId,
    modelPath: folder.path,
    dtype,
    onQualityLoss: onQualityLossOf(settings),
    architecture,
    cpuAbilities,
    threads: cores,
    task,
    pooling,
    ...chosen,
  };
  const found = await context.cache.findOrCompile(request, context.signal);
  onCompiled(found.model);
  return {
    estimatedBytes: await estimateMemory(found.model, settings, context),
    open: () => openModel({ folder, engine, request, found, onCompiled }, settings, context),
  };
}

interface ModelToOpen extends Pick<LoadListener, 'onCompiled'> {
  readonly folder: ModelFolder;
  readonly engine: string;
  readonly request: Omit<CompileRequest, 'outputFolder'>;
  readonly found: CacheLookup;
}

/** Compiled graph -> open lanes, warmed up. */
async function openModel(
  { folder, engine, request, found, onCompiled }: ModelToOpen,
  settings: ModelSettings,
  context: LoadContext,
): Promise<OpenModel> {
  let tokenizer: Tokenizer | undefined;
  const { compiled, lanes, threads } = await openLanes({ request, found }, settings, context, async (model) => {
    onCompiled(model);
    tokenizer ??= await openTokenizer(folder, model);
  });
  if (tokenizer === undefined) throw new Error('openLanes resolved before its model was prepared');
  reportGraph(compiled, settings.modelId, context.logger);

  const scheduler = createScheduler({
    ...context.limits,
    lanes,
    threads,
    cores: context.cores,
    model: compiled,
    name: settings.servedModelName,
    maxBatchItems: settings.batchSize,
    onRun: (run) => context.onRun?.(settings.servedModelName, run),
  });
  const close = async () => {
    await scheduler.drain();
    await Promise.all(lanes.map((lane) => lane.close()));
  };
  try {
    if (settings.modelWarmup) {
      await scheduler.submit(await tokenizer.encode(['The first run of a graph is slower than the ones that follow.']));
      await learnCosts({ compiled, tokenizer, scheduler, threads }, context);
    }
    const model = {
      engine,
      compiled,
      tokenizer,
      scheduler: context.vectorCache.inFrontOf(scheduler, compiled, settings),
      prompts: readPrompts(folder.sentenceTransformersConfig),
    };
    if (needsRanges(settings.embeddingDtype) && compiled.tasks.includes('embed')) await calibrationVectors(model);
    return { model, memoryBytes: () => memoryOf(lanes), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the processes of all lanes take; `undefined` where the system does not tell of one of them. */
async function memoryOf(lanes: readonly Lane[]): Promise<number | undefined> {
  const figures = await Promise.all(lanes.map(({ pid }) => (pid === undefined ? undefined : readProcess(pid))));
  let total = 0;
  for (const figure of figures) {
    if (figure?.proportionalBytes === undefined) return undefined;
    total += figure.proportionalBytes;
  }
  return total;
}

function reportGraph(compiled: CompiledModel, modelId: string, logger: Logger): void {
  const { graphPath, tasks, precision, compilation } = compiled;
  logger.info(`The graph of '${modelId}'.`, {
    tasks: tasks.join(','),
    precision,
    ...(compilation === undefined ? {} : madeBy(compilation)),
    graph: graphPath,
  });
  reportTried(compiled, modelId, logger);
  reportPrecision(compiled, modelId, logger);
  reportUnreadTensors(compiled, modelId, logger);
}

function madeBy({ milliseconds, peakBytes }: Compilation) {
  return {
    compiledInS: Number((milliseconds / 1000).toFixed(1)),
    ...(peakBytes === undefined ? {} : { compilePeak: bytesText(peakBytes) }),
  };
}

/** Where there was a choice, what was known when it was made. */
function reportTried({ compilation }: CompiledModel, modelId: string, logger: Logger): void {
  const tried = compilation?.tried ?? [];
  if (tried.length < 2) return;
  for (const { variant, quality, speed } of tried) {
    const timed = speed === undefined ? '' : `; ${speed.toFixed(2)} times as fast`;
    logger.info(`'${modelId}' in ${variant}: ${describeQuality(quality)}${timed}.`);
  }
}

function reportPrecision(
  { precision, variant, quality, warning }: CompiledModel,
  modelId: string,
  logger: Logger,
): void {
  if (warning !== undefined) logger.warning(`'${modelId}': ${warning}`);
  if (quality !== undefined) logger.info(`'${modelId}' computes in ${precision}.`, { variant, ...quality });
}

function reportUnreadTensors(compiled: CompiledModel, modelId: string, logger: Logger): void {
  const unread = compiled.unreadTensors;
  if (unread.length === 0) return;
  const shown = unread.slice(0, 5).join(', ') + (unread.length > 5 ? ', ...' : '');
  logger.info(`'${modelId}' has ${unread.length} tensors that this model does not use: ${shown}`);
}
