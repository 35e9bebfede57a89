import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { jsonLinesOutput } from './json-lines-output.ts';
import { npyOutput } from './npy-output.ts';
import type { NumbersField, OutputRow } from './output-row.ts';
import { parquetOutput } from './parquet-output.ts';

/**
 * How results become a file. While rows come in, bytes are only appended, so that a run that was killed goes on from the
 * last whole chunk; the end may turn what was appended into the file that was asked for.
 */
export interface OutputFormat {
  /** Bytes of rows, to be appended. */
  encode(rows: readonly OutputRow[]): Buffer;
  /** Makes `target` of all that was appended to `partial`, which is then gone. */
  finish(partial: string, target: string, rows: number): Promise<void>;
}

/** One line for each format, by the ending of its files. */
const FORMATS: Readonly<Record<string, (field: NumbersField) => OutputFormat>> = {
  '.jsonl': jsonLinesOutput,
  '.npy': npyOutput,
  '.parquet': parquetOutput,
};

const OUTPUT_ENDINGS = Object.keys(FORMATS);

export function outputFormat(filePath: string, field: NumbersField): OutputFormat {
  const ending = path.extname(filePath).toLowerCase();
  const make = FORMATS[ending];
  if (make !== undefined) return make(field);
  const expected = OUTPUT_ENDINGS.join(', ');
  throw new ServiceError(
    'invalid_settings',
    `'${filePath}': expected an output that ends with ${expected}, got '${ending}'`,
  );
}
