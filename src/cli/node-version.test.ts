import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeVersionProblem } from './node-version.ts';

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node.js %s is new enough', (version) => {
  expect(nodeVersionProblem(version)).toBeUndefined();
});

test.each(['20.18.3', '18.20.4', '9.11.2'])('Node.js %s is refused in one line', (version) => {
  expect(nodeVersionProblem(version)).toBe(`ERROR: expected Node.js 20.19 or newer, got ${version}\n`);
});

test('the oldest version is the one that package.json declares', () => {
  const manifest: { engines: { node: string } } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  expect(nodeVersionProblem('0.0.0')).toContain('Node.js 20.19 ');
  expect(manifest.engines.node).toBe('>=20.19.0');
});
