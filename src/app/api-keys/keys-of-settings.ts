import { type ApiKey, keyDigest } from '../../contracts/api-key.ts';

/** The keys of flags and environment, which are good for everything: `key-1`, `key-2`, ... */
export function keysOfSettings(keys: readonly string[]): readonly ApiKey[] {
  return keys.map((key, index) => ({ name: `key-${index + 1}`, digest: keyDigest(key) }));
}
