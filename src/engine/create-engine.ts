import type { Engine } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { classify } from './classify.ts';
import { embed } from './embed.ts';
import { embedSparse } from './embed-sparse.ts';
import { embedTokens } from './embed-tokens.ts';
import type { ModelSlot } from './model-slot.ts';
import { rerank } from './rerank.ts';

/** The engine over these models. Throws `invalid_settings` when two have the same served name. */
export function createEngine(slots: readonly ModelSlot[]): Engine {
  refuseDuplicateNames(slots);
  return {
    embed: (request, context) => embed(slots, request, context),
    rerank: (request, context) => rerank(slots, request, context),
    classify: (request, context) => classify(slots, request, context),
    embedSparse: (request, context) => embedSparse(slots, request, context),
    embedTokens: (request, context) => embedTokens(slots, request, context),
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
