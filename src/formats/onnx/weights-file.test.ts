import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { createWeightsFile } from './weights-file.ts';

test('each weight begins on a page and lies where it is said to', () => {
  const filePath = path.join(temporaryFolder(), 'weights.bin');
  const file = createWeightsFile(filePath);
  const first = file.append([Uint8Array.of(1, 2), Uint8Array.of(3)]);
  const second = file.append([new Uint8Array(4096).fill(4)]);
  const third = file.append([Uint8Array.of(5)]);
  file.close();
  expect([first, second, third]).toEqual([
    { fileName: 'weights.bin', byteOffset: 0, byteLength: 3 },
    { fileName: 'weights.bin', byteOffset: 4096, byteLength: 4096 },
    { fileName: 'weights.bin', byteOffset: 8192, byteLength: 1 },
  ]);
  const bytes = readFileSync(filePath);
  expect([...bytes.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  expect(bytes.subarray(4096, 8192).every((byte) => byte === 4)).toBe(true);
  expect(bytes.length).toBe(8193);
});
