import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelSlot } from '../engine/model-slot.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';
import { type LoadContext, loadModel } from './load-model.ts';

/**
 * Loads all models side by side into their slots. A model that fails is named in the log and in its slot, and the others
 * serve; rejects with a `ServiceError` only when none could be loaded.
 */
export async function loadModels(
  models: readonly ModelSettings[],
  slots: readonly ModelSlot[],
  context: LoadContext,
): Promise<void> {
  const failures: ServiceError[] = [];
  await Promise.all(
    models.map(async (settings, index) => {
      const slot = slots[index];
      if (slot === undefined) throw new Error('there must be one slot for each model');
      try {
        const listener = {
          onResolved: (commit: string | undefined) => slot.setCommit(commit),
          onCompiled: ({ tasks }: CompiledModel) => slot.setCapabilities(tasks),
        };
        slot.setReady(await loadModel(settings, context, listener));
        context.logger.info(`Model '${settings.servedModelName}' is ready.`);
      } catch (error) {
        const failure = asServiceError(error);
        failures.push(failure);
        slot.setFailed(failure.message);
        if (models.length > 1 && !context.signal.aborted) {
          context.logger.error(`Model '${settings.servedModelName}' cannot be served: ${failure.message}`);
        }
      }
    }),
  );
  const [first] = failures;
  if (first === undefined || failures.length < models.length) return;
  const message =
    models.length === 1
      ? `Model '${models[0]?.modelId}' cannot be served: ${first.message}`
      : 'None of the models could be loaded.';
  throw new ServiceError(first.code, message, { cause: first });
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ServiceError('internal_error', `Unexpected error: ${message}`, { cause: error });
}
