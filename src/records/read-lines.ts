import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Row } from './row.ts';

/** Field of the rows of a file that has no names. */
export const TEXT_FIELD = 'text';

/** Each line is a text; empty ones too, so that rows keep their numbers. */
export async function* readLines(filePath: string): AsyncIterable<Row> {
  for await (const line of linesOf(filePath)) yield { [TEXT_FIELD]: line };
}

export async function* linesOf(filePath: string): AsyncIterable<string> {
  const input = createReadStream(filePath, 'utf8');
  try {
    let isFirst = true;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield isFirst ? line.replace(/^\uFEFF/, '') : line;
      isFirst = false;
    }
  } finally {
    input.destroy();
  }
}
