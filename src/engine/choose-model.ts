import type { Task } from '../contracts/compiled-model.ts';
import type { ModelState } from '../contracts/engine.ts';
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

/**
 * The model that a request means. With one model any name means it. With several, a name is a served name, or else a
 * full model id, or else another id of the same weights; without a name it is the only model that can do the task. Throws `model_not_found`.
 *
 * Which model answers never depends on which of them happen to be up: vectors of another model than yesterday's are
 * worse than an error. So a request without a name gets `model_loading` until all candidates are known.
 */
export function chooseModel<T extends ModelChoice>(models: readonly T[], name: string | undefined, task: Task): T {
  const [only] = models;
  if (only !== undefined && models.length === 1) return only;
  if (name === undefined) return chooseByTask(models, task);
  const named =
    models.find(({ servedName }) => servedName === name) ??
    models.find(({ modelId }) => modelId === name) ??
    models.find(({ aliases }) => aliases.includes(name));
  if (named !== undefined) return named;
  throw notFound(models, `Engine for model name \`${name.slice(0, MAX_ECHOED_CHARACTERS)}\` not found`);
}

function chooseByTask<T extends ModelChoice>(models: readonly T[], task: Task): T {
  const candidates = models.filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes(task));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const able = candidates.filter(({ capabilities }) => capabilities.length > 0);
  const loading = candidates.find(({ capabilities, state }) => capabilities.length === 0 && state === 'loading');
  if (able.length < 2 && loading !== undefined) {
    throw new ServiceError(
      'model_loading',
      `The request names no model, and \`${loading.servedName}\` is still loading: name a model or try again`,
      { param: 'model' },
    );
  }
  throw notFound(
    models,
    `The request names no model, and ${able.length === 0 ? 'none' : 'not exactly one'} of them does \`${task}\``,
  );
}

function notFound(models: readonly ModelChoice[], reason: string): ServiceError {
  const names = models.map(({ servedName }) => `'${servedName}'`).join(', ');
  return new ServiceError('model_not_found', `Invalid model: ${reason}. Available model names are [${names}]`, {
    param: 'model',
  });
}
