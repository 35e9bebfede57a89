import { expect, test } from 'vitest';
import { keyDigest } from '../contracts/api-key.ts';
import { ServiceError } from '../contracts/errors.ts';
import { createAuthenticator } from './authenticate.ts';

function attempt(keys: readonly string[], ...authorization: readonly string[]): string {
  const rawHeaders = authorization.flatMap((value) => ['Authorization', value]);
  const headers = authorization[0] === undefined ? {} : { authorization: authorization[0] };
  try {
    const known = keys.map((key) => ({ name: `the name of ${key}`, digest: keyDigest(key) }));
    return createAuthenticator(() => known)({ headers, rawHeaders })?.name ?? 'passes without';
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return error.message.replace(/.*, got /, '');
    throw error;
  }
}

test.each([
  [[], [], 'passes without'],
  [[], ['Bearer whatever'], 'passes without'],
  [['key'], ['Bearer key'], 'the name of key'],
  [['key'], ['bEARER   key'], 'the name of key'],
  [['a b'], ['Bearer a b'], 'the name of a b'],
  // Node gives the bytes of a header as latin1.
  [['schlüssel'], [`Bearer ${Buffer.from('schlüssel').toString('latin1')}`], 'the name of schlüssel'],
  [['key', 'other'], ['Bearer key'], 'the name of key'],
  [['key', 'other'], ['Bearer other'], 'the name of other'],
  [['key', 'other'], ['Bearer keyother'], 'another key'],
  [['key'], [], 'no Authorization header'],
  [['key'], [''], 'another scheme or no key'],
  [['key'], ['Bearer'], 'another scheme or no key'],
  [['key'], ['Bearer  '], 'another scheme or no key'],
  [['key'], ['key'], 'another scheme or no key'],
  [['key'], ['Bearerkey'], 'another scheme or no key'],
  [['key'], ['Basic key'], 'another scheme or no key'],
  [['key'], ['Bearer KEY'], 'another key'],
  [['key'], ['Bearer ke'], 'another key'],
  [['key'], ['Bearer keys'], 'another key'],
  [['key'], ['Bearer key, Bearer key'], 'another key'],
  [['key'], ['Bearer key', 'Bearer other'], 'several Authorization headers'],
] as const)('with the keys %j, %j: %s', (keys, authorization, outcome) => {
  expect(attempt(keys, ...authorization)).toBe(outcome);
});

test('every key is compared, whichever it was', () => {
  const compared: string[] = [];
  const known = ['a', 'b', 'c'].map((name) => ({
    name,
    get digest() {
      compared.push(name);
      return keyDigest(name);
    },
  }));
  const authenticate = createAuthenticator(() => known);
  expect(authenticate({ headers: { authorization: 'Bearer a' }, rawHeaders: [] })?.name).toBe('a');
  expect(compared).toEqual(['a', 'b', 'c']);
});
