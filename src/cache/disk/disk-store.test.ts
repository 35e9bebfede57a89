import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeVectorStore, entryOf, keyOf } from '../../../test/contract/vector-store.ts';
import { recordingLogger } from '../../../test/fakes/recording-logger.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { createDiskStore } from './disk-store.ts';

const MIB = 1024 * 1024;

async function openStore(folder: string, limitBytes = 16 * MIB) {
  const logger = recordingLogger();
  const store = createDiskStore({ folder, limitBytes, logger });
  onTestFinished(() => store.close());
  await store.scanned;
  return { store, logger };
}

const segmentsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.vectors'));
const onlySegment = (folder: string) => path.join(folder, segmentsIn(folder)[0] ?? '');
const folderBytes = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    key: keyOf(`row ${from + index}`),
    row: new Float32Array(384).fill(from + index),
  }));

describeVectorStore('on disk', async () => (await openStore(temporaryFolder())).store);

async function folderWith(count: number): Promise<string> {
  const folder = temporaryFolder();
  const store = createDiskStore({ folder, limitBytes: 16 * MIB, logger: recordingLogger() });
  await store.setMany(rowsOf(count));
  await store.close();
  return folder;
}

async function foundIn(folder: string, count: number) {
  const { store, logger } = await openStore(folder);
  const rows = await store.getMany(rowsOf(count).map(({ key }) => key));
  return { found: rows.map((row) => row?.[0]), lines: logger.lines, store };
}

test('rows are there after a restart', async () => {
  expect((await foundIn(await folderWith(3), 4)).found).toEqual([0, 1, 2, undefined]);
});

test('a store that is opened finds what another process wrote before, and both write', async () => {
  const folder = temporaryFolder();
  const first = (await openStore(folder)).store;
  await first.setMany([entryOf('a', 1)]);
  const second = (await openStore(folder)).store;
  await Promise.all([first.setMany([entryOf('b', 2)]), second.setMany([entryOf('c', 3)])]);
  expect(await second.getMany(['a', 'b', 'c'].map(keyOf))).toEqual([Float32Array.of(1), undefined, Float32Array.of(3)]);
  const third = (await openStore(folder)).store;
  expect((await third.getMany(['a', 'b', 'c'].map(keyOf))).map((row) => row?.[0])).toEqual([1, 2, 3]);
});

/** Writes row after row until it is killed, and tells how many are written. */
const WRITER = `
  import { hash } from 'node:crypto';
  import { createDiskStore } from '${new URL('../../../dist/cache/disk/disk-store.js', import.meta.url).href}';
  const logger = { warning() {}, info() {}, debug() {}, error() {} };
  const store = createDiskStore({ folder: process.argv[1], limitBytes: ${16 * MIB}, logger });
  for (let count = 0; ; count += 100) {
    await store.setMany(Array.from({ length: 100 }, (_, index) => ({
      key: hash('sha256', 'row ' + (count + index), 'base64url'),
      row: new Float32Array(384).fill(count + index),
    })));
    process.stdout.write(count + 100 + '\\n');
  }
`;

test('a process killed with SIGKILL while it writes leaves what it had written', async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let written = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    written += text;
    if (written.split('\n').length > 20) child.kill('SIGKILL');
  }
  await exited;
  const done = Number(written.trim().split('\n').at(-1));
  expect(done).toBeGreaterThanOrEqual(2000);
  const { found } = await foundIn(folder, done);
  expect(found.slice(-2000)).toEqual(Array.from({ length: 2000 }, (_, index) => done - 2000 + index));
});

test('a file that was cut off keeps the rows before the cut', async () => {
  const folder = await folderWith(3);
  const bytes = readFileSync(onlySegment(folder));
  writeFileSync(onlySegment(folder), bytes.subarray(0, bytes.length - 100));
  const { found, lines, store } = await foundIn(folder, 3);
  expect(found).toEqual([0, 1, undefined]);
  expect(lines).toEqual([expect.stringContaining('ends early')]);
  await store.setMany(rowsOf(3));
  expect((await foundIn(folder, 3)).found).toEqual([0, 1, 2]);
});

test('a changed number is noticed: its row is a miss, can be set again, and the others stay', async () => {
  const folder = await folderWith(3);
  const bytes = readFileSync(onlySegment(folder));
  bytes.writeUInt8(bytes.readUInt8(700) ^ 1, 700);
  writeFileSync(onlySegment(folder), bytes);
  const { found, store } = await foundIn(folder, 3);
  expect(found).toEqual([undefined, 1, 2]);
  expect(await store.stats()).toMatchObject({ errors: 1, entries: 2 });
  await store.setMany(rowsOf(1));
  expect((await store.getMany([keyOf('row 0')]))[0]?.[0]).toBe(0);
});

test('a file that is garbage is set aside, once, and the cache is built anew', async () => {
  const folder = await folderWith(3);
  for (let round = 0; round < 2; round += 1) {
    for (const name of segmentsIn(folder)) writeFileSync(path.join(folder, name), Buffer.alloc(5000, 7));
    const { found, lines, store } = await foundIn(folder, 3);
    expect(found).toEqual([undefined, undefined, undefined]);
    expect(lines).toEqual([expect.stringContaining('damaged and set aside')]);
    await store.setMany(rowsOf(3));
    await store.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
  }
});

test('the folder stays within its bound; old rows go, and those in use stay', async () => {
  const folder = temporaryFolder();
  const limitBytes = 2 * MIB;
  const { store } = await openStore(folder, limitBytes);
  for (let from = 0; from < 4000; from += 20) {
    await store.setMany(rowsOf(20, from));
    await store.getMany([keyOf('row 0')]);
    expect(folderBytes(folder)).toBeLessThanOrEqual(limitBytes);
  }
  const names = ['row 0', 'row 1', 'row 3999'].map(keyOf);
  expect((await store.getMany(names)).map((row) => row?.[0])).toEqual([0, undefined, 3999]);
  const { entries = 0, bytes = 0, evictions } = await store.stats();
  expect(entries).toBeGreaterThan(1000);
  expect(bytes).toBeGreaterThan(0.85 * limitBytes);
  expect(evictions).toBeGreaterThan(2000);
});

test('a folder that another process clears is noticed at the next write', async () => {
  const folder = temporaryFolder();
  const { store } = await openStore(folder);
  await store.setMany([entryOf('a', 1)]);
  await (await openStore(folder)).store.clear();
  await store.setMany([entryOf('b', 2)]);
  expect((await store.getMany(['a', 'b'].map(keyOf))).map((row) => row?.[0])).toEqual([undefined, 2]);
  expect(segmentsIn(folder)).toHaveLength(1);
});

test('a folder that cannot be made is an error of the write, not of the store', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { store, logger } = await openStore(path.join(file, 'cache'));
  expect(await store.getMany([keyOf('a')])).toEqual([undefined]);
  await expect(store.setMany([entryOf('a', 1)])).rejects.toThrow('ENOTDIR');
  expect(logger.lines).toHaveLength(1);
  rmSync(file);
  await store.setMany([entryOf('a', 1)]);
  expect(await store.getMany([keyOf('a')])).toEqual([Float32Array.of(1)]);
});
