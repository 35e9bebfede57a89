import { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import type { ModelKeeper } from '../engine/lifecycle/model-keeper.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';
import { cannotBeServed } from './cannot-be-served.ts';

export interface StartRules {
  /** Whether one model that cannot be loaded is one too many. */
  readonly failFast: boolean;
  readonly logger: Logger;
}

/**
 * Starts all models side by side. One that fails is named in the log and in its slot, and the others serve. Rejects with a
 * `ServiceError` when one has failed and none may, or when all have failed and none is tried again by itself.
 */
export async function loadModels(
  models: readonly ModelSettings[],
  keepers: readonly ModelKeeper[],
  { failFast, logger }: StartRules,
): Promise<void> {
  const failures: ServiceError[] = [];
  await Promise.all(
    keepers.map(async (keeper, index) => {
      const failure = await keeper.start();
      if (failure === undefined) return;
      if (failFast) throw cannotBeServed(models[index], failure);
      if (keeper.willRetry) return;
      failures.push(failure);
      if (models.length > 1 && failure.code !== 'shutting_down') {
        logger.error(`Model '${models[index]?.servedModelName}' cannot be served: ${failure.message}`);
      }
    }),
  );
  const [first] = failures;
  if (first === undefined || failures.length < models.length) return;
  if (models.length === 1) throw cannotBeServed(models[0], first);
  throw new ServiceError(first.code, 'None of the models could be loaded.', { cause: first });
}
