import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';
import { readLines } from './read-lines.ts';
import { readParquet } from './read-parquet.ts';
import type { RowReader } from './row.ts';

/** One line for each format: how its rows are read, and the endings of its files. */
const FORMATS = {
  jsonl: { read: readJsonLines, endings: ['.jsonl', '.ndjson'] },
  csv: { read: readCsv(','), endings: ['.csv'] },
  tsv: { read: readCsv('\t'), endings: ['.tsv'] },
  parquet: { read: readParquet, endings: ['.parquet'] },
  lines: { read: readLines, endings: ['.txt'] },
} as const satisfies Record<string, { read: RowReader; endings: readonly string[] }>;

const INPUT_FORMATS = Object.keys(FORMATS);

/** The reader of a format, or of what the name of the file says. */
export function rowReader(filePath: string, format: string | undefined): RowReader {
  const ending = path.extname(filePath).toLowerCase();
  const found = Object.entries(FORMATS).find(([name, { endings }]) =>
    format === undefined ? endings.some((known) => known === ending) : name === format,
  );
  if (found !== undefined) return found[1].read;
  throw new ServiceError(
    'invalid_settings',
    `'${filePath}': expected a format of ${INPUT_FORMATS.join(', ')}, got ${format ?? `the ending '${ending}'`}; --input-format names it`,
  );
}
