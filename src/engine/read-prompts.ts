import { ServiceError } from '../contracts/errors.ts';
import type { JsonObject } from '../contracts/json.ts';

/** By name, as `prompts` of `config_sentence_transformers.json` has them. */
export type Prompts = ReadonlyMap<string, string>;

/**
 * The prompts of a model. Its `default_prompt_name` is not followed: a request that asks for no prompt gets none, as from
 * the original. Throws `invalid_model_folder` when they are not texts by name.
 */
export function readPrompts(config: JsonObject | undefined): Prompts {
  const prompts = config?.prompts ?? {};
  if (typeof prompts !== 'object' || Array.isArray(prompts)) throw malformed('a list or a single value');
  const table = new Map<string, string>();
  for (const [name, prompt] of Object.entries(prompts)) {
    if (typeof prompt !== 'string') throw malformed(`something else for '${name}'`);
    table.set(name, prompt);
  }
  return table;
}

function malformed(actual: string): ServiceError {
  return new ServiceError(
    'invalid_model_folder',
    `config_sentence_transformers.json: expected 'prompts' to be texts by name, got ${actual}`,
  );
}
