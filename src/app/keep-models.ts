import type { CompiledModel } from '../contracts/compiled-model.ts';
import { asServiceError } from '../engine/lifecycle/as-service-error.ts';
import { MemoryBudget } from '../engine/lifecycle/memory-budget.ts';
import { type KeeperOptions, ModelKeeper, residentsOf } from '../engine/lifecycle/model-keeper.ts';
import type { PreparedModel } from '../engine/lifecycle/model-source.ts';
import type { ModelSlot } from '../engine/model-slot.ts';
import type { ModelSettings, ServeSettings } from '../settings/serve-settings.ts';
import { cannotBeServed } from './cannot-be-served.ts';
import { type LoadContext, prepareModel } from './load-model.ts';

export type KeepSettings = Pick<ServeSettings, 'models' | 'maxMemoryBytes' | 'idleUnloadMinutes'>;

/** A keeper for each model, in their order. */
export function keepModels(
  { models, maxMemoryBytes, idleUnloadMinutes }: KeepSettings,
  slots: readonly ModelSlot[],
  context: LoadContext,
  rules: Pick<KeeperOptions, 'retries' | 'onServing'>,
): readonly ModelKeeper[] {
  const keepers: ModelKeeper[] = [];
  const budget = new MemoryBudget({ limitBytes: maxMemoryBytes, residents: () => residentsOf(keepers) });
  for (const [index, settings] of models.entries()) {
    const slot = slots[index];
    if (slot === undefined) throw new Error('there must be one slot for each model');
    keepers.push(
      new ModelKeeper({
        slot,
        source: () => prepareInto(slot, settings, context),
        budget,
        lazy: settings.lazyLoad,
        idleMs: idleUnloadMinutes * 60_000,
        ...rules,
        logger: context.logger,
        signal: context.signal,
      }),
    );
  }
  return keepers;
}

/** Loads a model once, for as long as the process runs. Rejects with a `ServiceError`. */
export async function loadInto(slot: ModelSlot, settings: ModelSettings, context: LoadContext): Promise<void> {
  try {
    const prepared = await prepareInto(slot, settings, context);
    const { model } = await prepared.open();
    slot.setReady(model);
  } catch (error) {
    throw cannotBeServed(settings, asServiceError(error));
  }
}

/** Its slot tells what becomes known meanwhile. */
function prepareInto(slot: ModelSlot, settings: ModelSettings, context: LoadContext): Promise<PreparedModel> {
  return prepareModel(settings, context, {
    onResolved: (commit: string | undefined) => slot.setCommit(commit),
    onCompiled: ({ tasks }: CompiledModel) => slot.setCapabilities(tasks),
  });
}
