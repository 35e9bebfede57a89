import type { ApiKey, Scope } from '../contracts/api-key.ts';
import { ServiceError } from '../contracts/errors.ts';

/** Throws `forbidden` unless the key, where one is asked for, has the scope. */
export function authorize(key: ApiKey | undefined, scope: Scope): void {
  if (key?.scopes === undefined || key.scopes.includes(scope)) return;
  throw new ServiceError(
    'forbidden',
    `API key '${key.name}': expected one with the scope '${scope}', got ${key.scopes.join(', ') || 'none'}`,
  );
}

/** Whether the key may use a model, by its served name. `undefined` where it may use all. */
export function modelsOf(key: ApiKey | undefined): ((servedName: string) => boolean) | undefined {
  const models = key?.models;
  return models === undefined ? undefined : (servedName) => models.includes(servedName);
}
