import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { createAuthenticator } from './authenticate.ts';

function attempt(apiKey: string | undefined, ...authorization: readonly string[]): string {
  const rawHeaders = authorization.flatMap((value) => ['Authorization', value]);
  const headers = authorization[0] === undefined ? {} : { authorization: authorization[0] };
  try {
    createAuthenticator(apiKey)({ headers, rawHeaders });
    return 'passes';
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return error.message.replace(/.*, got /, '');
    throw error;
  }
}

test.each([
  [undefined, [], 'passes'],
  ['', [], 'passes'],
  [undefined, ['Bearer whatever'], 'passes'],
  ['key', ['Bearer key'], 'passes'],
  ['key', ['bEARER   key'], 'passes'],
  ['a b', ['Bearer a b'], 'passes'],
  // Node gives the bytes of a header as latin1.
  ['schlüssel', [`Bearer ${Buffer.from('schlüssel').toString('latin1')}`], 'passes'],
  ['key', [], 'no Authorization header'],
  ['key', [''], 'another scheme or no key'],
  ['key', ['Bearer'], 'another scheme or no key'],
  ['key', ['Bearer  '], 'another scheme or no key'],
  ['key', ['key'], 'another scheme or no key'],
  ['key', ['Bearerkey'], 'another scheme or no key'],
  ['key', ['Basic key'], 'another scheme or no key'],
  ['key', ['Bearer KEY'], 'another key'],
  ['key', ['Bearer ke'], 'another key'],
  ['key', ['Bearer keys'], 'another key'],
  ['key', ['Bearer key, Bearer key'], 'another key'],
  ['key', ['Bearer key', 'Bearer other'], 'several Authorization headers'],
])('with the key %j, %j: %s', (apiKey, authorization, outcome) => {
  expect(attempt(apiKey, ...authorization)).toBe(outcome);
});
