// Files that somebody wants embedded.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { anyBytes, anyText, damaged, holdsForAll } from '../../test/fakes/untrusted.ts';
import { rowReader } from './input-formats.ts';

const VALID: Readonly<Record<string, Uint8Array>> = {
  jsonl: Buffer.from('{"text":"a","id":1}\n{"text":"b","id":2}\n'),
  csv: Buffer.from('text,id\n"a, quoted ""twice""",1\nb,2\n'),
  tsv: Buffer.from('text\tid\na\t1\n'),
  lines: Buffer.from('one\ntwo\r\n\nthree'),
  parquet: new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'text', data: ['a', 'b', 'c'] },
        { name: 'id', data: [1, 2, 3] },
      ],
    }),
  ),
};

test.each(Object.entries(VALID))(
  'a damaged or arbitrary file of %s gives rows or is refused',
  async (format, valid) => {
    const filePath = path.join(temporaryFolder(), 'rows');
    const read = rowReader(filePath, format);
    await holdsForAll(fc.oneof(damaged(valid), anyBytes, anyText.map(Buffer.from)), async (bytes) => {
      writeFileSync(filePath, bytes);
      for await (const _ of read(filePath)) if (readFileSync(filePath).length === 0) break;
    });
  },
);
