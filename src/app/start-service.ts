import { once } from 'node:events';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { ModelKeeper } from '../engine/lifecycle/model-keeper.ts';
import { createModelSlot } from '../engine/model-slot.ts';
import { createServer } from '../http/create-server.ts';
import { RequestsInHand } from '../http/requests-in-hand.ts';
import { bundledModels } from '../hub/bundled-models.ts';
import { createLogger } from '../observability/create-logger.ts';
import { openMetrics } from '../observability/metrics/open-metrics.ts';
import type { Traces } from '../observability/traces/open-traces.ts';
import { wantsTraces } from '../observability/traces/wants-traces.ts';
import { packageVersion } from '../settings/package-version.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { openCl100kText } from '../tokenization/openai-token-text.ts';
import { openApiKeys } from './api-keys/open-api-keys.ts';
import { afterMs, finishWork } from './finish-work.ts';
import { keepModels } from './keep-models.ts';
import { listen } from './listen.ts';
import { loadModels } from './load-models.ts';
import { openLoadContext } from './open-load-context.ts';
import { refuseUnloaded } from './refuse-unloaded.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { onRetrySignal } from './retry-signal.ts';
import { onShutdownSignals } from './shutdown-signals.ts';
import { openTls } from './tls/open-tls.ts';
import { openVectorCache } from './vector-cache/open-vector-cache.ts';

/** For what has nothing more to wait for: a load that was told to stop, a file that is being written. */
const LAST_STEPS_MS = 5_000;

export interface RunningService {
  /** With the port that was really taken; `undefined` when the models are only loaded. */
  readonly url: string | undefined;
  /** Resolves with the exit code once the service has ended; rejects with a `ServiceError` when no model could be loaded. */
  readonly done: Promise<number>;
  /** Refuses new work; `done` resolves when the requests in hand are answered. */
  stop(): void;
}

/**
 * Settings -> a working service. Resolves once the socket answers; the models load behind it. Rejects with a `ServiceError`
 * when the address cannot be had.
 */
export async function startService(settings: ServeSettings): Promise<RunningService> {
  const logger = createLogger({ level: settings.logLevel, format: settings.logFormat });
  const apiKeys = await openApiKeys(settings, logger);
  const tls = openTls(settings, logger);
  const vectorCache = openVectorCache(settings, { environment: process.env, logger });
  const ending = new AbortController();
  const stopped = once(ending.signal, 'abort');
  const lanes = new Set<Lane>();
  let keepers: readonly ModelKeeper[] = [];
  const bundled = await bundledModels();
  const { maxQueuedItems } = settings;
  const slots = settings.models.map((model, index) => {
    const aliases = bundled.find(({ id }) => id === model.modelId)?.aliases ?? [];
    return createModelSlot({
      ...model,
      servedName: model.servedModelName,
      aliases,
      maxQueuedItems,
      loadWaitMs: settings.loadWaitS * 1000,
      onWanted: () => keepers[index]?.wanted(),
    });
  });
  const engine = createEngine(slots, { strictNames: settings.strictModelNames });
  const metrics = openMetrics({
    models: engine.models,
    maxQueuedTokens: settings.maxQueuedTokens,
    vectorCache: vectorCache.use,
    version: packageVersion(),
  });
  const traces = await openTracesIfWanted(logger);
  const requestsInHand = new RequestsInHand();
  const server = await createServer({
    engine,
    logger,
    metrics,
    observers: [...metrics.observers, ...(traces === undefined ? [] : [traces.observer])],
    apiKeys: apiKeys.current,
    rateLimits: settings,
    protectMetrics: settings.protectMetrics,
    protectDocs: settings.protectDocs,
    tls: tls.identity,
    urlPrefix: settings.urlPrefix,
    documentForm: settings.documentForm,
    textOfIds: settings.tokenIds === 'cl100k_base' ? await openCl100kText() : undefined,
    maxClientBatchSize: settings.maxClientBatchSize,
    bodyLimitBytes: settings.bodyLimitBytes,
    permissiveCors: settings.permissiveCors,
    redirectSlash: settings.redirectSlash,
    proxyRootPath: settings.proxyRootPath,
    requestTimeoutS: settings.requestTimeoutS,
    isShuttingDown: () => ending.signal.aborted,
    requestsInHand,
  });
  const url = settings.preloadOnly
    ? undefined
    : await listen(server, { ...settings, isSecure: tls.identity !== undefined }).catch(async (error: unknown) => {
        await vectorCache.close();
        throw error;
      });
  if (url !== undefined) logger.info(`Started server process on ${url}`);

  const reloading = reloadOnChange([apiKeys, tls.renewalOf(server.server)]);
  const stopListening = onShutdownSignals({
    stop(signal) {
      logger.info(`Received ${signal}: finishing the requests in hand.`);
      ending.abort();
    },
    force(signal) {
      logger.warning(`Received ${signal} again: ending now.`);
      process.exit(1);
    },
    reload: reloading.reload,
  });

  async function loadAll(): Promise<void> {
    const context = await openLoadContext({
      settings,
      vectorCache,
      logger,
      environment: process.env,
      signal: ending.signal,
      onLane(lane, servedName) {
        keepUntilClosed(lanes, lane);
        metrics.watchLane(lane, servedName);
      },
      onRun: metrics.observeRun,
    });
    let onServing = () => {};
    const serving = new Promise<void>((resolve) => {
      onServing = resolve;
    });
    keepers = keepModels(settings, slots, context, { retries: !settings.preloadOnly && !settings.failFast, onServing });
    await loadModels(settings.models, keepers, { failFast: settings.failFast, logger });
    if (!settings.preloadOnly) await serving;
  }

  async function runUntilStopped(): Promise<number> {
    const loading = loadAll();
    const stopRetrying = onRetrySignal(() => {
      logger.info('Received SIGUSR2: models that have failed are tried again.');
      for (const keeper of keepers) keeper.retry();
    });
    try {
      await Promise.race([loading, stopped]);
      if (settings.preloadOnly) {
        refuseUnloaded(slots);
        logger.info('The models are loaded and in the caches.');
        return 0;
      }
      if (!ending.signal.aborted) logger.info('Application startup complete. Ready for requests.');
      await stopped;
    } finally {
      ending.abort();
      await finishWork({ server, requestsInHand, lanes, graceS: settings.shutdownGraceS, logger });
      await Promise.race([loading.catch(() => undefined), afterMs(LAST_STEPS_MS)]);
      // Those that were started while the others were being closed.
      await Promise.all([...lanes].map((lane) => lane.close()));
      await Promise.race([Promise.all([vectorCache.close(), traces?.close()]), afterMs(LAST_STEPS_MS)]);
      stopRetrying();
      stopListening();
      reloading.stop();
    }
    return 0;
  }

  return { url, done: runUntilStopped(), stop: () => ending.abort() };
}

/** Loaded only where a collector is named: it takes a tenth of a second. */
async function openTracesIfWanted(logger: Logger): Promise<Traces | undefined> {
  if (!wantsTraces(process.env)) return undefined;
  const { openTraces } = await import('../observability/traces/open-traces.ts');
  return openTraces({ version: packageVersion(), logger });
}

/** A model that is loaded again and again has new lanes each time. */
function keepUntilClosed(lanes: Set<Lane>, lane: Lane): void {
  lanes.add(lane);
  lane.onStateChange((state) => state === 'closed' && lanes.delete(lane));
}
