import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { rowReader } from './input-formats.ts';
import type { Row } from './row.ts';

async function rowsOf(name: string, content: string | Uint8Array, format?: string): Promise<Row[]> {
  const filePath = path.join(temporaryFolder(), name);
  writeFileSync(filePath, content);
  const rows: Row[] = [];
  for await (const row of rowReader(filePath, format)(filePath)) rows.push(row);
  return rows;
}

test.each([
  ['a.txt', '\uFEFFfirst\r\n\nlast', [{ text: 'first' }, { text: '' }, { text: 'last' }]],
  ['a.jsonl', '{"id":1,"text":"a"}\n\n"b"\n', [{ id: 1, text: 'a' }, { text: 'b' }]],
  ['a.ndjson', '{"text":"größe \\u2028"}', [{ text: 'größe \u2028' }]],
  [
    'a.csv',
    '\uFEFFid,text\n1,"a, ""b""\nc"\n2,\n',
    [
      { id: '1', text: 'a, "b"\nc' },
      { id: '2', text: '' },
    ],
  ],
  ['a.tsv', 'id\ttext\n1\ta,b\n', [{ id: '1', text: 'a,b' }]],
])('%s is read row by row', async (name, content, expected) => {
  expect(await rowsOf(name, content)).toEqual(expected);
});

test('Parquet is read over its row groups, with its own kinds of values', async () => {
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'id', data: [1n, 2n, 3n], type: 'INT64' },
      { name: 'text', data: ['a', null, 'ü'], type: 'STRING' },
    ],
    rowGroupSize: 2,
  });
  expect(await rowsOf('a.parquet', new Uint8Array(buffer))).toEqual([
    { id: 1, text: 'a' },
    { id: 2, text: null },
    { id: 3, text: 'ü' },
  ]);
});

test('a format that is named goes before the ending, and an unknown ending is refused', async () => {
  expect(await rowsOf('a.json', '{"text":"a"}', 'jsonl')).toEqual([{ text: 'a' }]);
  await expect(rowsOf('a.json', '')).rejects.toThrow(
    /expected a format of jsonl, csv, tsv, parquet, lines, got the ending '\.json'; --input-format names it/,
  );
});

test.each([
  ['a.jsonl', '{"text":"a"}\n{"text"', /a\.jsonl:2: expected JSON, got/],
  ['a.jsonl', '5', /a\.jsonl:1: expected a JSON object or a string/],
  ['a.csv', 'a,b\n1,2,3\n', /expected CSV, got: Invalid Record Length/],
  ['a.parquet', 'x'.repeat(50), /expected a Parquet file, got/],
])('a damaged %s is named with the place', async (name, content, message) => {
  await expect(rowsOf(name, content)).rejects.toThrow(message);
});
