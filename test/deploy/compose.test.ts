import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseSettings } from '../../src/settings/parse-settings.ts';
import { SETTING_ENTRIES } from '../../src/settings/schema.ts';
import { environmentNameOf } from '../../src/settings/setting-entry.ts';
import { projectFile } from './project-file.ts';

const FOLDER = projectFile('deploy/compose');

interface Service {
  readonly image: string;
  readonly extends?: { readonly file: string; readonly service: string };
  readonly build?: { readonly context?: string; readonly dockerfile?: string };
  readonly environment?: Record<string, string>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

function readServices(file: string): Record<string, Service> {
  return parse(readFileSync(path.join(FOLDER, file), 'utf8')).services;
}

/** What a service is with what it extends. */
function resolve(service: Service): Service {
  if (service.extends === undefined) return service;
  const base = resolve(readServices(service.extends.file)[service.extends.service] ?? { image: 'none' });
  return {
    ...base,
    ...service,
    build: { ...base.build, ...service.build },
    environment: { ...base.environment, ...service.environment },
  };
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));
const servers = files.map((file): [string, Service] => {
  const { infinity } = readServices(file);
  if (infinity === undefined) throw new Error(`${file} has no service 'infinity'`);
  return [file, resolve(infinity)];
});

test('there is a file for one machine and for several replicas', () => {
  expect(files.sort()).toEqual(['docker-compose.replicas.yml', 'docker-compose.yml']);
});

test.each(servers)('%s builds from files of the project', (_file, { build }) => {
  const context = path.resolve(FOLDER, build?.context ?? '');
  expect(existsSync(path.join(context, 'package.json'))).toBe(true);
  expect(existsSync(path.join(context, build?.dockerfile ?? ''))).toBe(true);
});

test.each(servers)('%s has settings that the server takes', (_file, { environment = {} }) => {
  const known = SETTING_ENTRIES.map(environmentNameOf);
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  expect(() => parseSettings({}, environment)).not.toThrow();
});

test.each(servers)('%s keeps the models where the original has them', (_file, { volumes = [] }) => {
  expect(volumes.map((volume) => volume.split(':')[1])).toContain('/root/.cache/huggingface');
});

test('every file that a service mounts is there', () => {
  const mounted = files
    .flatMap((file) => Object.values(readServices(file)))
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    .filter((source) => source.startsWith('./') && source !== './cache');
  expect(mounted).toEqual(['./haproxy.cfg']);
  for (const source of mounted) expect(existsSync(path.join(FOLDER, source))).toBe(true);
});
