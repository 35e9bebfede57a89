import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ARCHITECTURES, findArchitecture } from '../../src/compiler/architectures/registry.ts';
import { fakeModelFolder } from '../fakes/model-folder.ts';

/** Paths of all config.json, relative to this folder. */
const configs = [
  ...readdirSync(new URL('public/', import.meta.url)).map((name) => `public/${name}/model/config.json`),
  ...readdirSync(new URL('configs/', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `configs/${name}/config.json`),
];

/** Tables of vectors have no family, and may have no config. */
const isStatic = (path: string) => /\/static-/.test(path);

test('every family of the registry is held to a reference', () => {
  const covered = configs
    .filter((path) => !isStatic(path))
    .map((path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')))
    .map((config) => findArchitecture(fakeModelFolder({ config })));
  const missing = ARCHITECTURES.filter((architecture) => !covered.includes(architecture));
  expect(missing.map(({ modelType }) => modelType)).toEqual([]);
});

test('every golden model is compared in a test', () => {
  const tests = readdirSync(new URL('./', import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n');
  const names = configs.map((path) => path.split('/')[1] ?? path);
  expect(names.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});
