import type { Task } from '../contracts/compiled-model.ts';
import type { Capability, ModelState } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';

export interface ModelChoice {
  readonly servedName: string;
  readonly modelId: string;
  /** Other ids under which the same weights are published. */
  readonly aliases: readonly string[];
  readonly state: ModelState;
  /** Empty while they are not known. */
  readonly capabilities: readonly Task[];
}

/** A client's name for a model is repeated in the message up to here; it can be a whole request body long. */
const MAX_ECHOED_CHARACTERS = 200;

/** Sets of capabilities, each of which will do, best first. */
export type Wanted = readonly (readonly Capability[])[];

export interface ChoiceRules {
  /** Whether a single model answers to its own names only. */
  readonly strictNames?: boolean;
  /** What a request without a name means. */
  readonly unnamed?: 'only' | 'first' | undefined;
}

/**
 * The model that a request means. With one model any name means it, unless names are strict. With several, a name is a
 * served name, or else a full model id, or else another id of the same weights; without a name it is the only model that
 * has what is wanted, or the first. Throws `model_not_found`, and `capability_missing` where no model has what is wanted.
 *
 * Which model answers never depends on which of them happen to be up: vectors of another model than yesterday's are
 * worse than an error. So a request without a name gets `model_loading` until all candidates are known.
 */
export function chooseModel<T extends ModelChoice>(
  models: readonly T[],
  name: string | undefined,
  wanted: Wanted,
  { strictNames = false, unnamed = 'only' }: ChoiceRules = {},
): T {
  const [only] = models;
  if (only !== undefined && models.length === 1 && (!strictNames || name === undefined)) return only;
  if (name === undefined) return chooseUnnamed(models, wanted, unnamed);
  const named =
    models.find(({ servedName }) => servedName === name) ??
    models.find(({ modelId }) => modelId === name) ??
    models.find(({ aliases }) => aliases.includes(name));
  if (named !== undefined) return named;
  throw notFound(models, `Engine for model name \`${name.slice(0, MAX_ECHOED_CHARACTERS)}\` not found`);
}

/** Whether the model has all of the capabilities. */
export function hasAll({ capabilities }: Pick<ModelChoice, 'capabilities'>, wanted: readonly Capability[]): boolean {
  return wanted.every((capability) => capabilities.some((own) => own === capability));
}

function chooseUnnamed<T extends ModelChoice>(models: readonly T[], wanted: Wanted, unnamed: 'only' | 'first'): T {
  const isKnown = ({ capabilities }: ModelChoice) => capabilities.length > 0;
  const preferred =
    wanted.find((set) => models.some((model) => isKnown(model) && hasAll(model, set))) ?? wanted[0] ?? [];
  const candidates = models.filter((model) => !isKnown(model) || hasAll(model, preferred));
  const [first, second] = candidates;
  const task = preferred[0] ?? 'tokenize';
  if (first === undefined) throw noneCan(models, task);
  if (second === undefined || unnamed === 'first') return first;
  const loading = candidates.find((model) => !isKnown(model) && model.state === 'loading');
  if (loading !== undefined && candidates.filter(isKnown).length < 2) throw stillLoading(loading);
  throw notFound(models, `The request names no model, and not exactly one of them does \`${task}\``);
}

function stillLoading({ servedName }: ModelChoice): ServiceError {
  const message = `The request names no model, and \`${servedName}\` is still loading: name a model or try again`;
  return new ServiceError('model_loading', message, { param: 'model' });
}

function noneCan(models: readonly ModelChoice[], task: string): ServiceError {
  const lists = models.map(({ servedName, capabilities }) => `'${servedName}' does ${capabilities.join(', ')}`);
  const message = `ModelNotDeployedError: no model here does \`${task}\`: ${lists.join('; ')}`;
  return new ServiceError('capability_missing', message, { param: 'model' });
}

function notFound(models: readonly ModelChoice[], reason: string): ServiceError {
  const names = models.map(({ servedName }) => `'${servedName}'`).join(', ');
  return new ServiceError('model_not_found', `Invalid model: ${reason}. Available model names are [${names}]`, {
    param: 'model',
  });
}
