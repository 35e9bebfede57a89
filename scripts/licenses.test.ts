import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { isAccepted, packagesOf, refused } from './licenses.mjs';

test.each([
  ['MIT', true],
  ['(MIT OR CC0-1.0)', true],
  ['GPL-3.0-only OR MIT', true],
  ['(Apache-2.0 AND BSD-3-Clause)', true],
  ['MIT AND GPL-2.0-only', false],
  ['MPL-2.0', false],
  ['AGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
])('%s: accepted is %s', (expression, accepted) => {
  expect(isAccepted(expression)).toBe(accepted);
});

test('an exception of development is none for what is shipped', () => {
  const lock = (dev: boolean) => ({
    packages: {
      '': {},
      'node_modules/lightningcss': { version: '1.0.0', license: 'MPL-2.0', ...(dev ? { dev } : {}) },
    },
  });
  expect(refused(packagesOf(lock(true)))).toEqual([]);
  expect(refused(packagesOf(lock(false)))).toEqual([expect.objectContaining({ name: 'lightningcss' })]);
});

test('the dependencies of this package are accepted', () => {
  expect(refused(packagesOf(JSON.parse(readFileSync('package-lock.json', 'utf8'))))).toEqual([]);
});
