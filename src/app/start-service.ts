import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import { createEngine } from '../engine/create-engine.ts';
import { createModelSlot } from '../engine/model-slot.ts';
import { createServer } from '../http/create-server.ts';
import { createCompileJob } from '../lanes/run-compile-job.ts';
import { createLogger } from '../observability/create-logger.ts';
import { describeMachine } from '../runtime/machine.ts';
import { CoreTurns } from '../scheduling/core-turns.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { openCompiledFolder } from './compile-cache/cache-root.ts';
import { createCompileCache } from './compile-cache/compile-cache.ts';
import { listen } from './listen.ts';
import { loadModels } from './load-models.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { onShutdownSignals } from './shutdown-signals.ts';

const LANE_MAIN = fileURLToPath(new URL('../lane-main.js', import.meta.url));
/** Bounds how long requests in hand may keep the process: two minutes of work are 200,000 tokens on two cores. */
const SHUTDOWN_GRACE_MS = 120_000;

export interface RunningService {
  /** With the port that was really taken. */
  readonly url: string;
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
  const ending = new AbortController();
  const stopped = once(ending.signal, 'abort');
  const lanes = new Set<Lane>();
  const slots = settings.models.map(({ servedModelName, modelId, engine, batchSize }) =>
    createModelSlot({ servedName: servedModelName, modelId, engine, batchSize }),
  );
  const server = await createServer({
    engine: createEngine(slots),
    logger,
    apiKey: settings.apiKey,
    maxClientBatchSize: settings.maxClientBatchSize,
    bodyLimitBytes: settings.bodyLimitBytes,
    requestTimeoutS: settings.requestTimeoutS,
    isShuttingDown: () => ending.signal.aborted,
  });
  const url = await listen(server, settings);
  logger.info(`Started server process on ${url}`);

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
    const machine = describeMachine();
    const cacheFolder = await openCompiledFolder(process.env, logger);
    await loadModels(settings.models, slots, {
      cache: createCompileCache({
        root: cacheFolder,
        compile: createCompileJob({ laneMain: LANE_MAIN, logger }),
        logger,
      }),
      laneMain: LANE_MAIN,
      machine,
      cores: new CoreTurns(machine.threads),
      modelCount: settings.models.length,
      limits: settings,
      logger,
      inBackground: oneAtATime(),
      signal: ending.signal,
      onLane: (lane) => lanes.add(lane),
    });
  }

  const closeLanes = () => Promise.all([...lanes].map((lane) => lane.close()));

  async function runUntilStopped(): Promise<number> {
    const loading = loadAll();
    try {
      await Promise.race([loading, stopped]);
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
