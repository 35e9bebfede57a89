import { fileURLToPath } from 'node:url';
import type { Logger } from '../contracts/logger.ts';
import { readHubEnvironment } from '../hub/hub-environment.ts';
import { createCompileJob } from '../lanes/run-compile-job.ts';
import { createProgress } from '../observability/create-progress.ts';
import { describeMachine } from '../runtime/machine.ts';
import { CoreTurns } from '../scheduling/core-turns.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { openCompiledFolder } from './compile-cache/cache-root.ts';
import { createCompileCache } from './compile-cache/compile-cache.ts';
import type { LoadContext } from './load-model.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { VectorCache } from './vector-cache/open-vector-cache.ts';

const LANE_MAIN = fileURLToPath(new URL('../lane-main.js', import.meta.url));

export interface LoadOptions {
  readonly settings: ServeSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly vectorCache: VectorCache;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly onLane: LoadContext['onLane'];
  readonly onRun?: LoadContext['onRun'];
}

/** What loading models takes, from the settings and the machine. */
export async function openLoadContext(options: LoadOptions): Promise<LoadContext> {
  const { settings, environment, vectorCache, logger, signal, onLane, onRun } = options;
  const machine = describeMachine();
  return {
    cache: createCompileCache({
      root: await openCompiledFolder(environment, logger),
      compile: createCompileJob({ laneMain: LANE_MAIN, logger }),
      logger,
    }),
    vectorCache,
    laneMain: LANE_MAIN,
    machine,
    cores: new CoreTurns(machine.threads),
    modelCount: settings.models.length,
    limits: settings,
    logger,
    inBackground: oneAtATime(),
    signal,
    hub: readHubEnvironment(environment),
    progress: createProgress({ logger, terminal: process.stderr.isTTY ? process.stderr : undefined }),
    useBundled: settings.bundledModels,
    onLane,
    onRun,
  };
}
