import { ServiceError } from '../contracts/errors.ts';
import { isRepositoryId } from '../hub/cache-layout.ts';
import { downloadModel } from '../hub/download-model.ts';
import { readHubEnvironment } from '../hub/hub-environment.ts';
import { createLogger } from '../observability/create-logger.ts';
import { createProgress } from '../observability/create-progress.ts';
import { describeMachine } from '../runtime/machine.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { onnxFileWish } from './onnx-file-wish.ts';

/**
 * Brings models into the hub's cache, the newest commit of their revision, and compares what is there with the hub's
 * digests. Resolves with a line for each.
 */
export async function downloadModels(settings: ServeSettings, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const hub = readHubEnvironment(environment);
  if (hub.offline) {
    throw new ServiceError('model_unavailable', 'HF_HUB_OFFLINE forbids to download; unset it for this command');
  }
  // What is asked for goes to standard output, what happens meanwhile to standard error.
  const logger = createLogger({ level: settings.logLevel, destination: process.stderr });
  const progress = createProgress({ logger, terminal: process.stderr.isTTY ? process.stderr : undefined });
  const { signal } = new AbortController();
  const noId = settings.models.find(({ modelId }) => !isRepositoryId(modelId));
  if (noId !== undefined) {
    throw new ServiceError(
      'invalid_settings',
      `'${noId.modelId}': expected the id of a model on the hub, got another form`,
    );
  }
  const machine = describeMachine();
  const lines: string[] = [];
  for (const model of settings.models) {
    const { modelId, revision = 'main' } = model;
    const onnxFile = model.engine === 'optimum' ? onnxFileWish(model, machine) : undefined;
    const { path, commit } = await downloadModel(modelId, revision, { hub, logger, progress, signal, onnxFile });
    lines.push(`${modelId} ${commit} ${path}`);
  }
  return lines;
}
