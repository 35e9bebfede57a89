import { once } from 'node:events';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import { createEngine } from '../engine/create-engine.ts';
import { createModelSlot } from '../engine/model-slot.ts';
import { createServer } from '../http/create-server.ts';
import { bundledModels } from '../hub/bundled-models.ts';
import { createLogger } from '../observability/create-logger.ts';
import { openMetrics } from '../observability/metrics/open-metrics.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { openCl100kText } from '../tokenization/openai-token-text.ts';
import { listen } from './listen.ts';
import { loadModels } from './load-models.ts';
import { openLoadContext } from './open-load-context.ts';
import { packageVersion } from './package-version.ts';
import { refuseUnloaded } from './refuse-unloaded.ts';
import { onShutdownSignals } from './shutdown-signals.ts';
import { openVectorCache } from './vector-cache/open-vector-cache.ts';

/**
 * Bounds how long requests in hand may keep the process: two minutes of work are 800,000 tokens of a small model on two
 * cores.
 */
const SHUTDOWN_GRACE_MS = 120_000;

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
  const logger = createLogger({ level: settings.logLevel });
  const vectorCache = openVectorCache(settings, { environment: process.env, logger });
  const ending = new AbortController();
  const stopped = once(ending.signal, 'abort');
  const lanes = new Set<Lane>();
  const bundled = await bundledModels();
  const { maxQueuedItems } = settings;
  const slots = settings.models.map((model) => {
    const aliases = bundled.find(({ id }) => id === model.modelId)?.aliases ?? [];
    return createModelSlot({ ...model, servedName: model.servedModelName, aliases, maxQueuedItems });
  });
  const engine = createEngine(slots, { strictNames: settings.strictModelNames });
  const metrics = openMetrics({
    models: engine.models,
    maxQueuedTokens: settings.maxQueuedTokens,
    vectorCache: vectorCache.use,
    version: packageVersion(),
  });
  const server = await createServer({
    engine,
    logger,
    metrics,
    observers: metrics.observers,
    apiKey: settings.apiKey,
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
  });
  const url = settings.preloadOnly
    ? undefined
    : await listen(server, settings).catch(async (error: unknown) => {
        await vectorCache.close();
        throw error;
      });
  if (url !== undefined) logger.info(`Started server process on ${url}`);

  const stopListening = onShutdownSignals(
    (signal) => {
      logger.info(`Received ${signal}: finishing the requests in hand.`);
      ending.abort();
    },
    (signal) => {
      logger.warning(`Received ${signal} again: ending now.`);
      process.exit(1);
    },
  );

  async function loadAll(): Promise<void> {
    const context = await openLoadContext({
      settings,
      vectorCache,
      logger,
      environment: process.env,
      signal: ending.signal,
      onLane(lane, servedName) {
        lanes.add(lane);
        metrics.watchLane(lane, servedName);
      },
      onRun: metrics.observeRun,
    });
    await loadModels(settings.models, slots, context);
  }

  const closeLanes = () => Promise.all([...lanes].map((lane) => lane.close()));

  async function runUntilStopped(): Promise<number> {
    const loading = loadAll();
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
      const grace = graceOver(logger);
      await Promise.race([server.close(), grace]);
      await closeLanes();
      await Promise.race([loading.catch(() => undefined), grace]);
      // Those that were started while the others were being closed.
      await closeLanes();
      await Promise.race([vectorCache.close(), grace]);
      stopListening();
    }
    return 0;
  }

  return { url, done: runUntilStopped(), stop: () => ending.abort() };
}

function graceOver(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = () => {
      logger.warning(`Not all is finished after ${SHUTDOWN_GRACE_MS / 1000} s; ending without the rest.`);
      resolve();
    };
    setTimeout(giveUp, SHUTDOWN_GRACE_MS).unref();
  });
}
