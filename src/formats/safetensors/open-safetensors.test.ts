import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { safetensorsBytes, type TensorBytes } from '../../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { openSafetensors } from './open-safetensors.ts';

async function openWith(tensors: Readonly<Record<string, TensorBytes>>) {
  const filePath = path.join(temporaryFolder(), 'model.safetensors');
  writeFileSync(filePath, safetensorsBytes(tensors));
  const checkpoint = await openSafetensors(filePath, 'model.safetensors');
  onTestFinished(() => checkpoint.close());
  const numbersOf = (name: string) => [...(checkpoint.tensors.get(name)?.chunks() ?? [])].flatMap((each) => [...each]);
  return { filePath, checkpoint, numbersOf };
}

test('reads each tensor from its own range, widened to float32', async () => {
  const { checkpoint, numbersOf } = await openWith({
    odd: { dtype: 'I8', shape: [3], data: Int8Array.of(1, 2, 3) },
    half: { dtype: 'F16', shape: [2], data: Uint16Array.of(0x3c00, 0xc000) },
    full: { dtype: 'F32', shape: [2, 1], data: Float32Array.of(0.25, -8) },
  });
  expect(checkpoint.tensors.get('full')).toMatchObject({ dtype: 'F32', dims: [2, 1], fileName: 'model.safetensors' });
  expect(numbersOf('half')).toEqual([1, -2]);
  expect(numbersOf('full')).toEqual([0.25, -8]);
});

test('a large tensor comes in pieces, in order', async () => {
  const data = Float32Array.from({ length: (1 << 20) + 5 }, (_value, index) => index);
  const { checkpoint } = await openWith({ large: { dtype: 'F32', shape: [data.length], data } });
  const pieces = [...(checkpoint.tensors.get('large')?.chunks() ?? [])];
  expect(pieces.map((piece) => piece.length)).toEqual([1 << 20, 5]);
  expect(pieces.map((piece) => piece[0])).toEqual([0, 1 << 20]);
});

test('integers are listed, and refused as weights', async () => {
  const { numbersOf } = await openWith({ ids: { dtype: 'I32', shape: [2], data: Int32Array.of(1, 2) } });
  expect(() => numbersOf('ids')).toThrow(/tensor 'ids' has dtype I32, expected one of F32, F16, BF16, F64/);
});

test('a file that was cut after it was opened is reported, not read as zeros', async () => {
  const { filePath, numbersOf } = await openWith({ full: { dtype: 'F32', shape: [4], data: new Float32Array(4) } });
  truncateSync(filePath, 80);
  expect(() => numbersOf('full')).toThrow(/tensor 'full': the file ends at byte 80, expected \d+/);
});
