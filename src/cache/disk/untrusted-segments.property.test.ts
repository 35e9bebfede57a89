// A segment of the disk cache may have been cut off by a full disk, or changed by a failing one.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { anyBytes, damaged, holdsForAll } from '../../../test/fakes/untrusted.ts';
import { decodeRecord, encodeRecord, RECORD_HEAD_BYTES, readRecordHead } from './record.ts';
import { createSegment, openSegment } from './segment.ts';

const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const ENTRIES = ['a', 'b', 'c'].map((text, index) => ({ key: keyOf(text), row: Float32Array.of(index, 0.5, -1) }));

test('a damaged or arbitrary segment gives only rows that were put into it', async () => {
  const folder = temporaryFolder();
  const made = await createSegment(folder, 'made');
  await made.append(Buffer.concat(ENTRIES.map(encodeRecord)));
  await made.close();
  const valid = readFileSync(path.join(folder, 'made'));
  await holdsForAll(fc.oneof(damaged(valid), anyBytes), async (bytes) => {
    writeFileSync(path.join(folder, 'damaged'), bytes);
    const places: number[] = [];
    const segment = await openSegment(folder, 'damaged', (offset) => places.push(offset));
    if (segment === undefined) return;
    try {
      for (const offset of places) {
        const head = readRecordHead(await segment.read(offset, RECORD_HEAD_BYTES));
        if (head === undefined) continue;
        const record = await segment.read(offset, head.bytes);
        for (const { key, row } of ENTRIES) {
          const found = decodeRecord(record, key);
          if (found !== undefined) expect([...found]).toEqual([...row]);
        }
      }
    } finally {
      await segment.close();
    }
  });
});
