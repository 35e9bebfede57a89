import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';

/** Throws `unauthorized` unless the request may pass. */
export type Authenticate = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => void;

const BEARER = /^bearer +(\S.*)$/i;

/**
 * Bearer authentication with one key; an empty or missing key leaves the door open. Both sides are hashed before they are
 * compared, so that the time taken tells neither the length of the key nor how much of it was right.
 */
export function createAuthenticator(apiKey: string | undefined): Authenticate {
  if (apiKey === undefined || apiKey === '') return () => {};
  const expected = sha256(Buffer.from(apiKey, 'utf8'));
  return ({ headers, rawHeaders }) => {
    const header = headers.authorization;
    if (header === undefined) throw refusal('no Authorization header');
    // Node keeps the first of several; a proxy in front may have checked another one.
    if (countHeader(rawHeaders, 'authorization') > 1) throw refusal('several Authorization headers');
    const token = BEARER.exec(header)?.[1];
    if (token === undefined) throw refusal('another scheme or no key');
    // Node decodes header bytes as latin1; this gives back the bytes that were sent.
    if (!timingSafeEqual(sha256(Buffer.from(token, 'latin1')), expected)) throw refusal('another key');
  };
}

function refusal(actual: string): ServiceError {
  return new ServiceError(
    'unauthorized',
    `Authorization: expected 'Bearer <the API key of this server>', got ${actual}`,
  );
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}
