import type { Task } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import { chooseModel } from './choose-model.ts';
import type { LoadedModel, ModelSlot } from './model-slot.ts';

export interface ChosenModel extends LoadedModel {
  readonly servedName: string;
}

/**
 * The loaded model that a request means. Throws, in this order, `model_not_found`, `model_loading` or `model_failed`,
 * `capability_missing`.
 */
export function requireModel(slots: readonly ModelSlot[], name: string | undefined, task: Task): ChosenModel {
  const slot = chooseModel(slots, name, task);
  const { servedName, model } = slot;
  if (model === undefined) throw stateError(slot);
  if (!slot.capabilities.includes(task)) throw missingCapability(slot, task);
  return { servedName, ...model };
}

function stateError({ servedName, state, reason }: ModelSlot): ServiceError {
  if (state === 'failed') {
    return new ServiceError('model_failed', `The model \`${servedName}\` has failed: ${reason}`, { param: 'model' });
  }
  return new ServiceError('model_loading', `The model \`${servedName}\` is still loading`, { param: 'model' });
}

/** In the words of the original, whose clients look for the first of them. */
function missingCapability({ servedName, capabilities }: ModelSlot, task: Task): ServiceError {
  const modality = task === 'embed' ? ' for modality `text`' : '';
  const options = capabilities.map((capability) => `'${capability}'`).join(', ');
  return new ServiceError(
    'capability_missing',
    `ModelNotDeployedError: model=\`${servedName}\` does not support \`${task}\`${modality}. Reason: the loaded model cannot fulfill \`${task}\`. Options are {${options}}.`,
    { param: 'model' },
  );
}
