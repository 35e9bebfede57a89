import { describe, expect, test } from 'vitest';
import type { Tensor } from '../contracts/inference-session.ts';
import { FRAME_HEADER_BYTES } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { decodeTensors, encodeTensorFrame } from './tensor-frame.ts';

function payloadOf(tensors: readonly Tensor[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodeTensorFrame('run', 1, tensors).subarray(FRAME_HEADER_BYTES));
}

const ids: Tensor = { name: 'input_ids', dims: [2, 3], data: Int32Array.of(0, 1, -2, 2 ** 31 - 1, -(2 ** 31), 101) };

describe('tensors in a frame', () => {
  test.each<[string, readonly Tensor[]]>([
    ['none', []],
    ['int32', [ids]],
    ['float32, to the bit', [{ name: 'x', dims: [5], data: Float32Array.of(0.1, -0, Infinity, 1e-45, NaN) }]],
    ['a scalar', [{ name: 'limit', dims: [], data: Float32Array.of(7) }]],
    ['no elements', [{ name: 'x', dims: [0, 384], data: new Float32Array(0) }]],
    ['a name beyond ASCII', [{ name: 'größe→長', dims: [1], data: Int32Array.of(1) }]],
    [
      'several, of names of every length modulo 8',
      Array.from({ length: 9 }, (_, n) => ({ ...ids, name: 'n'.repeat(n) })),
    ],
  ])('%s: come out as they went in', (_, tensors) => {
    const [frame] = new FrameReader().push(encodeTensorFrame('run', 1, tensors));
    const decoded = decodeTensors(frame?.payload ?? new Uint8Array());
    expect(decoded).toEqual(tensors);
    expect(decoded.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength))).toEqual(
      tensors.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
    );
  });

  test('a part of a larger array is sent alone', () => {
    const data = Int32Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(decodeTensors(payloadOf([{ name: 'x', dims: [2], data }]))).toEqual([
      { name: 'x', dims: [2], data: Int32Array.of(2, 3) },
    ]);
  });

  test('decoded data are views on the payload, not copies', () => {
    const payload = payloadOf([ids]);
    const [tensor] = decodeTensors(payload);
    expect(tensor?.data.buffer).toBe(payload.buffer);
  });

  test('a payload cut anywhere is refused', () => {
    const payload = payloadOf([ids, { ...ids, name: 'token_type_ids' }]);
    for (let length = 0; length < payload.length; length += 1) {
      expect(() => decodeTensors(payload.slice(0, length)), `${length} bytes`).toThrow('is malformed');
    }
  });

  test.each<[string, (bytes: Buffer) => unknown, string]>([
    ['too many tensors', (bytes) => bytes.writeUInt32LE(65, 0), '65 tensors, the limit is 64'],
    ['fewer tensors than bytes', (bytes) => bytes.writeUInt32LE(0, 0), 'bytes after the last tensor'],
    ['an unknown element type', (bytes) => bytes.writeUInt8(9, 4), 'element type 9, expected 1 (int32) or 2 (float32)'],
    ['too high a rank', (bytes) => bytes.writeUInt8(9, 5), 'tensor 0 of rank 9, the limit is 8'],
    ['a name beyond the end', (bytes) => bytes.writeUInt16LE(65_535, 6), 'the name of tensor 0 at byte 16 needs 65535'],
    ['a dim beyond the end', (bytes) => bytes.writeUInt32LE(2 ** 32 - 1, 8), 'with dims [4294967295,3]'],
  ])('%s is refused by name', (_, damage, message) => {
    const payload = payloadOf([ids]);
    damage(Buffer.from(payload.buffer));
    expect(() => decodeTensors(payload)).toThrow(message);
  });

  test('a tensor whose dims do not match its data is not sent', () => {
    expect(() => payloadOf([{ ...ids, dims: [2, 2] }])).toThrow("tensor 'input_ids' with dims [2,2] and 6 elements");
  });

  test('more than a frame can name is not sent', () => {
    expect(() => payloadOf(Array.from({ length: 65 }, () => ids))).toThrow('65 tensors, the limit is 64');
    expect(() => payloadOf([{ ...ids, dims: Array.from({ length: 9 }, () => 1) }])).toThrow('rank 9');
    expect(() => payloadOf([{ ...ids, name: 'n'.repeat(1025) }])).toThrow('a tensor name of 1025 bytes');
  });
});
