import { expect, test } from 'vitest';
import { packEncodings, unpackEncodings } from './packed-encodings.ts';

const row = (...ids: readonly number[]) => ({
  ids: Int32Array.from(ids),
  typeIds: Int32Array.from(ids, (id) => id % 2),
});

test.each([
  ['no row', []],
  ['rows of different lengths', [row(1, 2, 3), row(4), row(5, 6)]],
  ['rows without ids', [row(), row(7), row()]],
])('%s come out as they went in', (_name, rows) => {
  expect(unpackEncodings(packEncodings(rows))).toEqual(rows);
});

test('the rows of a request are views of one buffer', () => {
  const packed = packEncodings([row(1, 2, 3), row(4)]);
  expect(packed.lengths).toEqual(Int32Array.of(3, 1));
  for (const { ids, typeIds } of unpackEncodings(packed)) {
    expect(ids.buffer).toBe(packed.ids.buffer);
    expect(typeIds.buffer).toBe(packed.typeIds.buffer);
  }
});
