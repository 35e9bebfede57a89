// What can have happened to the cache of compiled graphs.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxAbsDifference } from '../e2e/support/max-abs-difference.ts';
import { eventually } from '../e2e/support/process-tree.ts';
import { EMBEDDER, endServers, newHome, startFaultyServer, temporaryFolder } from './support/faulty-server.ts';
import { MAY_MOUNT, mountedFolder, readOnlyFolder } from './support/mounted-folder.ts';
import { embed } from './support/requests.ts';

const ARGS = ['--model-id', EMBEDDER, '--served-model-name', 'model'];
const compiledFolder = (home: string) => path.join(home, '.infinity_cache/compiled');
const entriesOf = (home: string) => readdirSync(compiledFolder(home)).filter((name) => !name.endsWith('.lock'));

async function vectorOf(home: string, warning?: string | RegExp): Promise<number[]> {
  const server = startFaultyServer({ args: ARGS, environment: { INFINITY_HOME: home } });
  const { status, body } = await embed(await server.ready(), 'text query');
  expect(status).toBe(200);
  if (warning === undefined) expect(server.output()).not.toContain('WARNING');
  else expect(server.output()).toMatch(warning);
  expect(await server.stop()).toBe(0);
  return body.data[0].embedding;
}

/** The largest file of the only entry, which holds the weights. */
function weightsOf(home: string): string {
  const folder = path.join(compiledFolder(home), entriesOf(home)[0] ?? '');
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  return files.sort((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
}

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x40, at);
  writeFileSync(file, bytes);
}

const DESCRIPTION = 'compiled.json';
const descriptionOf = (home: string) => path.join(path.dirname(weightsOf(home)), DESCRIPTION);

describe('damage in the cache is noticed: the model is compiled again and gives the same vectors', () => {
  let sound: string;
  let vector: number[];
  beforeAll(async () => {
    sound = mkdtempSync(path.join(tmpdir(), 'infinity-sound-'));
    vector = await vectorOf(sound);
    await endServers();
  });
  afterAll(() => rmSync(sound, { recursive: true }));

  test.each<[string, (home: string) => void, string | undefined]>([
    [
      'a flipped bit in the weights',
      (home) => flipByte(weightsOf(home)),
      'in the cache is damaged; compiling it again',
    ],
    ['weights that are cut off', (home) => truncateSync(weightsOf(home), 1000), undefined],
    ['a description that is no JSON', (home) => writeFileSync(descriptionOf(home), '{"model":'), undefined],
    [
      'a description that says something else',
      (home) => {
        const text = readFileSync(descriptionOf(home), 'utf8');
        writeFileSync(descriptionOf(home), text.replace('"float32"', '"float16"'));
      },
      undefined,
    ],
  ])('%s', async (_, damage, warning) => {
    const home = newHome();
    cpSync(sound, home, { recursive: true });
    damage(home);
    const damaged = readFileSync(descriptionOf(home), 'utf8');
    expect(maxAbsDifference(await vectorOf(home, warning), vector)).toBe(0);
    expect(readFileSync(weightsOf(home)).equals(readFileSync(weightsOf(sound)))).toBe(true);
    expect(readFileSync(descriptionOf(home), 'utf8').length).toBeGreaterThanOrEqual(damaged.length);
  });
});

test('what a compile that was killed has left behind is removed by the next start, which compiles', async () => {
  const home = newHome();
  const environment = { INFINITY_HOME: home };
  const killed = startFaultyServer({ args: ARGS, environment, faults: { compile: 'hang' } });
  await killed.url();
  const isCompiling = () => entriesOf(home).some((name) => name.startsWith('.work-'));
  await eventually(() => readdirSync(home).length > 0 && isCompiling(), 20_000);
  killed.child.kill('SIGKILL');
  await killed.exited;
  expect(isCompiling()).toBe(true);
  await vectorOf(home);
  expect(entriesOf(home)).toHaveLength(1);
  expect(isCompiling()).toBe(false);
});

test('a cache that may only be read is not used: the graph goes to a temporary folder, with a warning', async () => {
  const home = readOnlyFolder();
  const server = startFaultyServer({ args: ARGS, environment: { INFINITY_HOME: home, TMPDIR: temporaryFolder() } });
  expect((await embed(await server.ready(), 'text query')).status).toBe(200);
  expect(server.output()).toContain('The cache folder cannot be written');
});

test.skipIf(!MAY_MOUNT)('a disk that is full when the graph is written fails the model with the reason', async () => {
  const home = mountedFolder('size=131072');
  const server = startFaultyServer({ args: ARGS, environment: { INFINITY_HOME: home } });
  expect((await server.exited).code).toBe(3);
  expect(server.output()).toMatch(/no space left|ENOSPC|disk/i);
  expect(entriesOf(home)).toEqual([]);
});
