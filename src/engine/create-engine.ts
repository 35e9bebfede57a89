import type { Engine } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { classify } from './classify.ts';
import { embed } from './embed.ts';
import type { ModelSlot } from './model-slot.ts';
import { requireModel } from './require-model.ts';
import { rerank } from './rerank.ts';
import { decode, tokenize } from './tokenize.ts';

export interface EngineOptions {
  /** Whether a single model answers to its own names only; to any name otherwise. */
  readonly strictNames?: boolean;
}

/** The engine over these models. Throws `invalid_settings` when two have the same served name. */
export function createEngine(slots: readonly ModelSlot[], { strictNames = false }: EngineOptions = {}): Engine {
  refuseDuplicateNames(slots);
  const models = { slots, strictNames };
  return {
    embed: (request, context) => embed(models, request, context),
    rerank: (request, context) => rerank(models, request, context),
    classify: (request, context) => classify(models, request, context),
    tokenize: (request, context) => tokenize(models, request, context),
    decode: (request, context) => decode(models, request, context),
    requireCapability: (request, capability, context) =>
      requireModel(models, request, [capability === undefined ? [] : [capability]], context).status(),
    models: () => slots.map((slot) => slot.status()),
  };
}

function refuseDuplicateNames(slots: readonly ModelSlot[]): void {
  const seen = new Map<string, ModelSlot>();
  for (const slot of slots) {
    const other = seen.get(slot.servedName);
    if (other !== undefined) {
      throw new ServiceError(
        'invalid_settings',
        `Served model names must differ: expected one model named '${slot.servedName}', got '${other.modelId}' and '${slot.modelId}'`,
        { param: 'served_model_name' },
      );
    }
    seen.set(slot.servedName, slot);
  }
}
