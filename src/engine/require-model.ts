import type { Capability, EmbeddingDtype, ModelRequest, RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { chooseModel, hasAll, type Wanted } from './choose-model.ts';
import type { LoadedModel, ModelSlot } from './model-slot.ts';

/** The models of an engine, and how names choose among them. */
export interface ServedModels {
  readonly slots: readonly ModelSlot[];
  /** Whether a single model answers to its own names only. */
  readonly strictNames: boolean;
}

export interface ChosenModel extends LoadedModel {
  readonly servedName: string;
  /** Of requests that ask for none. */
  readonly embeddingDtype: EmbeddingDtype;
}

/**
 * Does work with the model that a request means, which stays in memory until the work is done; a model that is loaded on
 * demand is waited for. Rejects as `requireModel` throws, and as `ModelSlot.wait` rejects.
 */
export async function withModel<T>(
  models: ServedModels,
  request: ModelRequest,
  { wanted, context }: { readonly wanted: Wanted; readonly context: RequestContext },
  work: (model: ChosenModel) => Promise<T>,
): Promise<T> {
  const slot = requireModel(models, request, wanted, context);
  const { model, release } = slot.take() ?? (await slot.wait(context.signal));
  const { servedName, embeddingDtype } = slot;
  try {
    return await work({ servedName, embeddingDtype, ...model });
  } finally {
    release();
  }
}

/**
 * The model that a request means, which serves, or is loaded on demand; the request's work is told which. Throws, in this
 * order, `model_not_found`, `forbidden`, `model_loading` or `model_failed`, `capability_missing`.
 */
export function requireModel(
  { slots, strictNames }: ServedModels,
  { model: name, unnamed }: ModelRequest,
  wanted: Wanted,
  { mayUse, work }: Pick<RequestContext, 'mayUse' | 'work'>,
): ModelSlot {
  const slot = chooseModel(slots, name, wanted, { strictNames, unnamed });
  if (mayUse?.(slot.servedName) === false) {
    throw new ServiceError('forbidden', `The API key is not for the model '${slot.servedName}'`, { param: 'model' });
  }
  if (work !== undefined) work.model = slot.servedName;
  const refusal = slot.refusal();
  if (refusal !== undefined) throw refusal;
  if (!wanted.some((capabilities) => hasAll(slot, capabilities))) throw missingCapability(slot, wanted[0] ?? []);
  return slot;
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
