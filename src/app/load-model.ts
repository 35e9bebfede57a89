import { contentKey } from '../compiler/content-key.ts';
import type { CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel, Precision } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import type { LoadedModel } from '../engine/model-slot.ts';
import { resolveModel } from '../hub/resolve-model.ts';
import { startLane } from '../lanes/start-lane.ts';
import type { Machine } from '../runtime/machine.ts';
import { runtimeVersion } from '../runtime/runtime-version.ts';
import { createScheduler } from '../scheduling/create-scheduler.ts';
import type { ModelSettings, ServeSettings } from '../settings/serve-settings.ts';
import { openTokenizer } from '../tokenization/open-tokenizer.ts';
import type { CompileCache } from './compile-cache/compile-cache.ts';

/** What every model of a service shares. */
export interface LoadContext {
  readonly cache: CompileCache;
  readonly laneMain: string;
  readonly machine: Machine;
  readonly limits: Pick<ServeSettings, 'maxBatchTokens' | 'maxQueuedTokens' | 'maxQueuedItems'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told of every lane as soon as it exists, so that whoever ends the service can end it too. */
  readonly onLane: (lane: Lane) => void;
}

/** Model files -> compiled graph (from the cache, or made now) -> an open lane, warmed up. Rejects with a `ServiceError`. */
export async function loadModel(
  settings: ModelSettings,
  context: LoadContext,
  onCompiled: (model: CompiledModel) => void,
): Promise<LoadedModel> {
  const { folder, source, exact } = await resolveModel(settings.modelId);
  context.logger.debug(`Reading '${settings.modelId}'.`, { source, folder: folder.path });
  if (!exact) {
    context.logger.warning(
      `'${settings.modelId}' is served from a bundled copy that was derived from 8-bit weights: scores differ a little from the public checkpoint.`,
    );
  }
  const precision: Precision = settings.dtype;
  const { task } = settings;
  const key = await contentKey(folder, {
    precision,
    task,
    runtimeVersion: runtimeVersion(),
    cpuAbilities: context.machine.cpuAbilities,
  });
  const request = { modelId: settings.modelId, modelPath: folder.path, precision, task, contentKey: key };

  let tokenizer: Tokenizer | undefined;
  const { compiled, lane } = await openLane(request, settings, context, async (model) => {
    refuseStaticEmbedding(model, settings.modelId);
    onCompiled(model);
    tokenizer ??= await openTokenizer(folder, model);
  });
  if (tokenizer === undefined) throw new Error('openLane resolved before its model was prepared');
  reportUnreadTensors(compiled, settings.modelId, context.logger);

  const scheduler = createScheduler({
    ...context.limits,
    lanes: [lane],
    model: compiled,
    name: settings.servedModelName,
    maxBatchItems: settings.batchSize,
  });
  await scheduler.submit(await tokenizer.encode(['The first run of a graph is slower than the ones that follow.']));
  return { compiled, tokenizer, scheduler };
}

/**
 * Opens a lane on the compiled graph and prepares the rest meanwhile. A graph from the cache that cannot be opened is
 * taken for damaged: it is compiled anew, once.
 */
async function openLane(
  request: Omit<CompileRequest, 'outputFolder'>,
  { servedModelName }: ModelSettings,
  context: LoadContext,
  prepare: (model: CompiledModel) => Promise<void>,
): Promise<{ compiled: CompiledModel; lane: Lane }> {
  for (let attempt = 1; ; attempt += 1) {
    const { model: compiled, cached } = await context.cache.findOrCompile(request, context.signal);
    const lane = startLane({
      compiled,
      name: servedModelName,
      threads: context.machine.threads,
      laneMain: context.laneMain,
      logger: context.logger,
    });
    context.onLane(lane);
    // Settled before the first await, so that a lane that fails while the tokenizer loads is not an unhandled rejection.
    const [prepared, opened] = await Promise.allSettled([prepare(compiled), lane.whenReady()]);
    if (prepared.status === 'fulfilled' && opened.status === 'fulfilled') return { compiled, lane };
    await lane.close();
    if (prepared.status === 'rejected') throw prepared.reason;
    if (opened.status === 'rejected' && (!cached || attempt > 1 || context.signal.aborted)) throw opened.reason;
    context.logger.warning(
      `The compiled graph of '${request.modelId}' in the cache cannot be opened; compiling it again.`,
    );
    await context.cache.discard(request.contentKey);
  }
}

function refuseStaticEmbedding({ architecture }: CompiledModel, modelId: string): void {
  if (architecture !== 'static-embedding') return;
  throw new ServiceError(
    'unsupported_architecture',
    `'${modelId}' is a static embedding: it compiles, but texts without special tokens are not served yet`,
  );
}

function reportUnreadTensors(compiled: CompiledModel, modelId: string, logger: Logger): void {
  const unread = compiled.unreadTensors;
  if (unread.length === 0) return;
  const shown = unread.slice(0, 5).join(', ') + (unread.length > 5 ? ', ...' : '');
  logger.info(`'${modelId}' has ${unread.length} tensors that this model does not use: ${shown}`);
}
