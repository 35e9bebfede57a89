import { ServiceError } from '../contracts/errors.ts';
import type { ModelSlot } from '../engine/model-slot.ts';

/**
 * Where models are only loaded, each of them must have been. Throws `model_failed` for one that failed, `shutting_down` when
 * a signal came before all were loaded.
 */
export function refuseUnloaded(slots: readonly Pick<ModelSlot, 'servedName' | 'state' | 'reason'>[]): void {
  const failed = slots.find(({ state }) => state === 'failed');
  if (failed !== undefined) {
    throw new ServiceError('model_failed', `Model '${failed.servedName}' could not be loaded: ${failed.reason}`);
  }
  const loading = slots.find(({ state }) => state === 'loading');
  if (loading === undefined) return;
  throw new ServiceError(
    'shutting_down',
    `Stopped before '${loading.servedName}' was loaded; the same command goes on from there`,
  );
}
