// A bundled model, compiled in the cache as the server does it, for measurements below HTTP.
import { fileURLToPath } from 'node:url';
import { openCompiledFolder } from '../../dist/app/compile-cache/cache-root.js';
import { createCompileCache } from '../../dist/app/compile-cache/compile-cache.js';
import { contentKey } from '../../dist/compiler/content-key.js';
import { readHubEnvironment } from '../../dist/hub/hub-environment.js';
import { resolveModel } from '../../dist/hub/resolve-model.js';
import { createCompileJob } from '../../dist/lanes/run-compile-job.js';
import { createLogger } from '../../dist/observability/create-logger.js';
import { createProgress } from '../../dist/observability/create-progress.js';
import { describeMachine } from '../../dist/runtime/machine.js';
import { runtimeVersion } from '../../dist/runtime/runtime-version.js';
import { SETTINGS } from '../../dist/settings/schema.js';

export const LANE_MAIN = fileURLToPath(new URL('../../dist/lane-main.js', import.meta.url));
export const logger = createLogger({ level: 'error' });
export const machine = describeMachine();

const POOLING = /** @type {const} */ ('auto');
const TASK = /** @type {const} */ ('auto');
const ON_QUALITY_LOSS = /** @type {const} */ ('fall-back');

/**
 * From a folder, the cache or a bundled copy: a download is no part of what is measured.
 *
 * @param {string} modelId
 */
export function resolveOffline(modelId) {
  return resolveModel(modelId, {
    hub: { ...readHubEnvironment(process.env), offline: true },
    useBundled: true,
    logger,
    progress: createProgress({ logger }),
    signal: new AbortController().signal,
  });
}

/**
 * What the server asks a compile process for, with the settings left as they are.
 *
 * @param {import('../../dist/contracts/model-folder.js').ModelFolder} folder
 * @param {import('../../dist/contracts/compiled-model.js').Dtype} dtype
 * @param {string} key
 */
export function requestOf(folder, dtype, key) {
  const { architecture, cpuAbilities, threads } = machine;
  return {
    modelId: folder.id,
    modelPath: folder.path,
    dtype,
    onQualityLoss: ON_QUALITY_LOSS,
    architecture,
    cpuAbilities,
    threads,
    task: TASK,
    pooling: POOLING,
    contentKey: key,
  };
}

/**
 * @param {string} modelId
 * @param {string} dtype as the server's flag
 * @returns the model folder and its compiled graph
 */
export async function compiledModel(modelId, dtype) {
  const chosen = dtypeOf(dtype);
  const { folder } = await resolveOffline(modelId);
  const key = await contentKey(folder, {
    dtype: chosen,
    onQualityLoss: ON_QUALITY_LOSS,
    task: TASK,
    runtimeVersion: runtimeVersion(),
    cpuAbilities: machine.cpuAbilities,
  });
  const cache = createCompileCache({
    root: await openCompiledFolder(process.env, logger),
    compile: createCompileJob({ laneMain: LANE_MAIN, logger }),
    logger,
  });
  const { model } = await cache.findOrCompile(requestOf(folder, chosen, key), new AbortController().signal);
  return { folder, compiled: model };
}

/** @param {string} dtype */
function dtypeOf(dtype) {
  const choice = Object.entries(SETTINGS.dtype.choices).find(([name]) => name === dtype);
  if (choice !== undefined) return choice[1];
  throw new Error(`--dtype: expected one of ${Object.keys(SETTINGS.dtype.choices).join(', ')}, got '${dtype}'`);
}
