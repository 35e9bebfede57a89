import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { readExactly } from './read-exactly.ts';

function openFile(bytes: Uint8Array): number {
  const filePath = path.join(temporaryFolder(), 'file');
  writeFileSync(filePath, bytes);
  const fd = openSync(filePath, 'r');
  onTestFinished(() => closeSync(fd));
  return fd;
}

const endsAt = (byte: number) => new Error(`it ends at ${byte}`);

test('a part of a file is read from its place', () => {
  expect([...readExactly(openFile(Uint8Array.of(1, 2, 3, 4)), 1, 2, endsAt)]).toEqual([2, 3]);
});

test('a file that ends before the part does is named by the caller', () => {
  expect(() => readExactly(openFile(Uint8Array.of(1, 2, 3)), 1, 4, endsAt)).toThrow('it ends at 3');
});
