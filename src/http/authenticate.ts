import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ApiKey, keyDigest } from '../contracts/api-key.ts';
import { ServiceError } from '../contracts/errors.ts';

/** The key that the request came with; `undefined` where none is asked for. Throws `unauthorized`. */
export type Authenticate = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => ApiKey | undefined;

const BEARER = /^bearer +(\S.*)$/i;

/**
 * Bearer authentication; while there are no keys, the door is open. Digests are compared, and always all of them, so that
 * the time taken tells neither the length of a key, nor how much of it was right, nor which one it was.
 */
export function createAuthenticator(keys: () => readonly ApiKey[]): Authenticate {
  return ({ headers, rawHeaders }) => {
    const known = keys();
    if (known.length === 0) return undefined;
    const header = headers.authorization;
    if (header === undefined) throw refusal('no Authorization header');
    // Node keeps the first of several; a proxy in front may have checked another one.
    if (countHeader(rawHeaders, 'authorization') > 1) throw refusal('several Authorization headers');
    const token = BEARER.exec(header)?.[1];
    if (token === undefined) throw refusal('another scheme or no key');
    // Node decodes header bytes as latin1; this gives back the bytes that were sent.
    const key = findKey(known, keyDigest(Buffer.from(token, 'latin1')));
    if (key === undefined) throw refusal('another key');
    return key;
  };
}

function findKey(keys: readonly ApiKey[], digest: Uint8Array): ApiKey | undefined {
  let found: ApiKey | undefined;
  for (const key of keys) {
    if (timingSafeEqual(key.digest, digest)) found ??= key;
  }
  return found;
}

function refusal(actual: string): ServiceError {
  return new ServiceError(
    'unauthorized',
    `Authorization: expected 'Bearer <an API key of this server>', got ${actual}`,
  );
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}
