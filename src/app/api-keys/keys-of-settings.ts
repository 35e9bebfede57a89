import { type ApiKey, keyDigest } from '../../contracts/api-key.ts';

/** The keys of flags and environment, which are good for everything. No key of a file can have such a name. */
export function keysOfSettings(keys: readonly string[]): readonly ApiKey[] {
  return keys.map((key, index) => ({ name: `api-key#${index + 1}`, digest: keyDigest(key) }));
}
