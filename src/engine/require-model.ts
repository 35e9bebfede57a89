import type { Capability, EmbeddingDtype, ModelRequest } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { RequestWork } from '../contracts/request-work.ts';
import { chooseModel, hasAll, type Wanted } from './choose-model.ts';
import type { LoadedModel, ModelSlot } from './model-slot.ts';

/** The models of an engine, and how names choose among them. */
export interface ServedModels {
  readonly slots: readonly ModelSlot[];
  /** Whether a single model answers to its own names only. */
  readonly strictNames: boolean;
}

export interface ChosenModel extends LoadedModel {
  readonly slot: ModelSlot;
  readonly servedName: string;
  /** Of requests that ask for none. */
  readonly embeddingDtype: EmbeddingDtype;
}

/**
 * The loaded model that a request means; the work of the request is told which. Throws, in this order, `model_not_found`, `model_loading` or `model_failed`,
 * `capability_missing`.
 */
export function requireModel(
  { slots, strictNames }: ServedModels,
  { model: name, unnamed }: ModelRequest,
  wanted: Wanted,
  work?: RequestWork,
): ChosenModel {
  const slot = chooseModel(slots, name, wanted, { strictNames, unnamed });
  const { servedName, embeddingDtype, model } = slot;
  if (work !== undefined) work.model = servedName;
  if (model === undefined) throw stateError(slot);
  if (!wanted.some((capabilities) => hasAll(slot, capabilities))) throw missingCapability(slot, wanted[0] ?? []);
  return { slot, servedName, embeddingDtype, ...model };
}

function stateError({ servedName, state, reason }: ModelSlot): ServiceError {
  if (state === 'failed') {
    return new ServiceError('model_failed', `The model \`${servedName}\` has failed: ${reason}`, { param: 'model' });
  }
  return new ServiceError('model_loading', `The model \`${servedName}\` is still loading`, { param: 'model' });
}

/** What the original calls an embedding of each kind of input. */
const MODALITIES: Readonly<Partial<Record<Capability, string>>> = {
  embed: '`embed` for modality `text`',
  image_embed: '`embed` for modality `image`',
  audio_embed: '`embed` for modality `audio`',
};

/** In the words of the original, whose clients look for the first of them. */
function missingCapability(slot: ModelSlot, wanted: readonly Capability[]): ServiceError {
  const { servedName, capabilities } = slot;
  const missing = wanted.find((capability) => !hasAll(slot, [capability])) ?? 'embed';
  const options = capabilities.map((capability) => `'${capability}'`).join(', ');
  return new ServiceError(
    'capability_missing',
    `ModelNotDeployedError: model=\`${servedName}\` does not support ${MODALITIES[missing] ?? `\`${missing}\``}. Reason: the loaded model cannot fulfill \`${missing}\`. Options are {${options}}.`,
    { param: 'model' },
  );
}
