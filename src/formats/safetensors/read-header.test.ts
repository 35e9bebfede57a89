import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withLength } from '../../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { readHeader } from './read-header.ts';

function write(bytes: Uint8Array | string): string {
  const filePath = path.join(temporaryFolder(), 'model.safetensors');
  writeFileSync(filePath, bytes);
  return filePath;
}

test('reads the JSON and the size of the file', async () => {
  const filePath = write(Buffer.concat([withLength('{"a":{}}'), Buffer.alloc(5)]));
  const { json, fileBytes } = await readHeader(filePath, 'model.safetensors');
  expect(Buffer.from(json).toString()).toBe('{"a":{}}');
  expect(fileBytes).toBe(8 + 8 + 5);
});

const lfsPointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
const lengthOf = (value: bigint) => {
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

test.each<[string, Uint8Array | string, RegExp]>([
  [
    'a Git LFS pointer',
    lfsPointer,
    /is a Git LFS pointer of 70 bytes, not the weights; fetch them with 'git lfs pull'/,
  ],
  ['an empty file', '', /is too short: expected at least 10 bytes, got 0/],
  [
    'an HTML page',
    '<!DOCTYPE html><html></html>',
    /is not a safetensors file: expected a header of at most 100000000 bytes/,
  ],
  ['a header longer than the limit', lengthOf(100_000_001n), /its length field says 100000001/],
  ['a header longer than any number', lengthOf(2n ** 64n - 1n), /its length field says 18446744073709551615/],
  [
    'a header that the file cuts off',
    lengthOf(100n),
    /is truncated: its header should end at byte 108, the file has 12/,
  ],
])('%s is refused', async (_what, bytes, message) => {
  const filePath = write(bytes);
  await expect(readHeader(filePath, 'model.safetensors')).rejects.toThrow(message);
  await expect(readHeader(filePath, 'model.safetensors')).rejects.toMatchObject({ code: 'invalid_checkpoint' });
});

test('a file that is not there is refused by name', async () => {
  await expect(readHeader('/nowhere/x', 'model.safetensors')).rejects.toThrow(/^model\.safetensors cannot be opened$/);
});
