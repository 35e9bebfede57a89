import { describe, expect, test } from 'vitest';
import { allocateFrame, FRAME_HEADER_BYTES, type Frame, MAX_PAYLOAD_BYTES } from './frame.ts';
import { FrameReader } from './frame-reader.ts';

function frameOf(kind: Frame['kind'], id: number, payload: readonly number[]): Buffer {
  const frame = allocateFrame(kind, id, payload.length);
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

const FRAMES = Buffer.concat([
  frameOf('run', 1, [1, 2, 3, 4, 5]),
  frameOf('opened', 2 ** 32 - 1, []),
  frameOf('ran', 3, [9]),
]);
const EXPECTED = [
  { kind: 'run', id: 1, payload: new Uint8Array([1, 2, 3, 4, 5]) },
  { kind: 'opened', id: 2 ** 32 - 1, payload: new Uint8Array() },
  { kind: 'ran', id: 3, payload: new Uint8Array([9]) },
];

describe('FrameReader', () => {
  test('gives the frames of one chunk', () => {
    expect(new FrameReader().push(FRAMES)).toEqual(EXPECTED);
  });

  test('gives the same frames when the bytes are split at any place', () => {
    for (let split = 0; split <= FRAMES.length; split += 1) {
      const reader = new FrameReader();
      const frames = [...reader.push(FRAMES.subarray(0, split)), ...reader.push(FRAMES.subarray(split))];
      expect(frames, `split at byte ${split}`).toEqual(EXPECTED);
      reader.end();
    }
  });

  test('gives the same frames when the bytes come one at a time', () => {
    const reader = new FrameReader();
    expect([...FRAMES].flatMap((byte) => reader.push(new Uint8Array([byte])))).toEqual(EXPECTED);
  });

  test('gives each payload a buffer of its own, whatever becomes of the chunk', () => {
    const chunk = Buffer.from(FRAMES);
    const [frame] = new FrameReader().push(chunk);
    chunk.fill(0);
    expect(frame?.payload).toEqual(new Uint8Array([1, 2, 3, 4, 5]));
    expect(frame?.payload.byteOffset).toBe(0);
    expect(frame?.payload.buffer.byteLength).toBe(5);
  });

  test('an end between frames is none of its business, an end within one is an error', () => {
    const ends = new Map<number, string>();
    for (let length = 0; length <= 18; length += 1) {
      const reader = new FrameReader();
      reader.push(FRAMES.subarray(0, length));
      try {
        reader.end();
        ends.set(length, 'fine');
      } catch (error) {
        ends.set(length, error instanceof Error ? error.message : '');
      }
    }
    expect(ends.get(0)).toBe('fine');
    expect(ends.get(17)).toBe('fine');
    expect(ends.get(5)).toBe('A lane frame ended within a header: 5 of 12 bytes.');
    expect(ends.get(14)).toBe("A lane frame ended within a payload of kind 'run': 2 of 5 bytes.");
    expect([...ends.values()].filter((end) => end === 'fine')).toHaveLength(2);
  });

  test('refuses a payload over the limit before it allocates anything', () => {
    const frame = frameOf('run', 1, []);
    frame.writeUInt32LE(MAX_PAYLOAD_BYTES + 1, 0);
    expect(() => new FrameReader().push(frame)).toThrow(
      "A lane frame 'run' has a payload of 268435457 bytes; the limit is 268435456.",
    );
    expect(() => allocateFrame('ran', 1, MAX_PAYLOAD_BYTES + 1)).toThrow('the limit is 268435456');
  });

  test.each([0, 8, 2 ** 32 - 1])('refuses the unknown kind %d', (kind) => {
    const frame = frameOf('run', 1, []);
    frame.writeUInt32LE(kind, 4);
    expect(() => new FrameReader().push(frame)).toThrow(`A lane frame has kind ${kind}; expected 1 to 7.`);
  });
});
