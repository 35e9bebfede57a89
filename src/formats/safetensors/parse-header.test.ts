import { expect, test } from 'vitest';
import { parseHeader } from './parse-header.ts';

function parse(header: unknown, dataBytes: number) {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  return parseHeader('model.safetensors', json, 8 + json.length + dataBytes);
}

test('positions count from the start of the file', () => {
  const header = {
    __metadata__: { format: 'pt' },
    second: { dtype: 'F16', shape: [3], data_offsets: [8, 14] },
    first: { dtype: 'F32', shape: [1, 2], data_offsets: [0, 8] },
  };
  const dataStart = 8 + JSON.stringify(header).length;
  expect(Object.fromEntries(parse(header, 14))).toEqual({
    second: { dtype: 'F16', dims: [3], byteOffset: dataStart + 8, byteLength: 6 },
    first: { dtype: 'F32', dims: [1, 2], byteOffset: dataStart, byteLength: 8 },
  });
});

test('a scalar, an empty tensor and padding spaces after the header are allowed', () => {
  const header = `${JSON.stringify({
    scalar: { dtype: 'I64', shape: [], data_offsets: [0, 8] },
    empty: { dtype: 'F32', shape: [0, 4], data_offsets: [8, 8] },
  })}   `;
  expect([...parse(header, 8).keys()]).toEqual(['scalar', 'empty']);
});

const good = { dtype: 'F32', shape: [2], data_offsets: [0, 8] };

test.each<[string, unknown, number, RegExp]>([
  ['is no JSON', '{"a":', 0, /^model\.safetensors: the safetensors header is not JSON$/],
  ['is no object', '[]', 0, /must be a JSON object/],
  ['describes a tensor by a number', { a: 1 }, 0, /tensor 'a' must be described by a JSON object/],
  ['has an unknown dtype', { a: { ...good, dtype: 'F31' } }, 8, /tensor 'a' has dtype "F31", expected one of F64, F32/],
  ['has no shape', { a: { ...good, shape: 'x' } }, 8, /tensor 'a' has shape "x", expected a list/],
  ['has a negative size', { a: { ...good, shape: [-2] } }, 8, /tensor 'a' has shape \[-2\]/],
  ['has a fraction as a size', { a: { ...good, shape: [0.5] } }, 8, /tensor 'a' has shape \[0\.5\]/],
  ['has offsets in the wrong order', { a: { ...good, data_offsets: [8, 0] } }, 8, /data_offsets \[8,0\], expected/],
  ['has a range of the wrong length', { a: { ...good, shape: [3] } }, 8, /takes 8 bytes, expected 12 for F32 \[3\]/],
  ['has a size beyond exact numbers', { a: { ...good, shape: [2 ** 52, 2 ** 40] } }, 8, /takes 8 bytes, expected/],
  ['ends beyond the file', { a: good }, 4, /tensor 'a' should end at byte \d+, the file has \d+: it is truncated/],
  [
    'overlaps',
    { a: good, b: { ...good, data_offsets: [4, 12] } },
    12,
    /tensor 'b' overlaps the tensor before it: expected to begin at byte \d+, got \d+/,
  ],
  ['shares a range', { a: good, b: good }, 8, /tensor 'b' overlaps/],
  ['leaves a gap', { a: good, b: { ...good, data_offsets: [12, 20] } }, 20, /tensor 'b' leaves a gap before it/],
  ['leaves bytes at the end', { a: good }, 9, /its tensors end at byte \d+, expected the end of the file at \d+/],
])('a header that %s is refused', (_what, header, dataBytes, message) => {
  expect(() => parse(header, dataBytes)).toThrow(expect.objectContaining({ code: 'invalid_checkpoint' }));
  expect(() => parse(header, dataBytes)).toThrow(message);
});
