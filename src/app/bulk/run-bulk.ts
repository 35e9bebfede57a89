import { setMaxListeners } from 'node:events';
import type { BulkRequest } from '../../contracts/bulk-request.ts';
import type { Engine } from '../../contracts/engine.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Lane } from '../../contracts/lane.ts';
import { createEngine } from '../../engine/create-engine.ts';
import { createModelSlot } from '../../engine/model-slot.ts';
import { createLogger } from '../../observability/create-logger.ts';
import { durationText } from '../../observability/duration-text.ts';
import type { ServeSettings } from '../../settings/serve-settings.ts';
import { loadInto } from '../keep-models.ts';
import { openLoadContext } from '../open-load-context.ts';
import { onShutdownSignals } from '../shutdown-signals.ts';
import { openVectorCache } from '../vector-cache/open-vector-cache.ts';
import { computeFile } from './compute-file.ts';
import { resultsKey } from './results-key.ts';

/** Computes a file with the model of the settings, without a server. Rejects with a `ServiceError`. */
export async function runBulk(
  request: BulkRequest,
  settings: ServeSettings,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const [model, another] = settings.models;
  if (model === undefined || another !== undefined) {
    throw new ServiceError('invalid_settings', `--model-id: expected one model, got ${settings.models.length}`);
  }
  const logger = createLogger({ level: settings.logLevel, destination: process.stderr });
  const ending = new AbortController();
  const { signal } = ending;
  // Every request in hand listens to it.
  setMaxListeners(0, signal);
  const lanes = new Set<Lane>();
  const stopListening = onShutdownSignals({ stop: () => ending.abort(), force: () => process.exit(1) });
  const vectorCache = openVectorCache(settings, { environment, logger });
  const context = await openLoadContext({
    settings,
    environment,
    vectorCache,
    logger,
    signal,
    onLane: (lane) => lanes.add(lane),
  });

  // Files hold float32 vectors: another default would only cost the runs that find its ranges.
  const float32Model = { ...model, embeddingDtype: 'float32' } as const;
  async function openEngine(): Promise<Engine> {
    const { maxQueuedItems } = settings;
    const slot = createModelSlot({ ...float32Model, servedName: float32Model.servedModelName, maxQueuedItems });
    await loadInto(slot, float32Model, context);
    return createEngine([slot]);
  }

  const startedMs = performance.now();
  const modelKey = resultsKey(model, settings.bundledModels);
  try {
    const { rows, rowsBefore } = await computeFile({
      request,
      modelKey,
      openEngine,
      progress: context.progress,
      signal,
    });
    const ms = performance.now() - startedMs;
    const before = rowsBefore === 0 ? '' : `, ${rowsBefore} of them from a run before`;
    logger.info(`${rows} rows are in '${request.output}'${before}; ${durationText(ms)}.`);
  } finally {
    stopListening();
    await Promise.all([...lanes].map((lane) => lane.close()));
    await vectorCache.close();
  }
}
