import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { ServiceError } from '../contracts/errors.ts';
import type { Row, RowReader } from './row.ts';

/** The first line names the fields. */
export function readCsv(delimiter: string): RowReader {
  return async function* rows(filePath) {
    const parser = parse({ columns: true, bom: true, delimiter, skip_empty_lines: true });
    // The parser is destroyed with the error of the file, which the loop below then gets.
    pipeline(createReadStream(filePath), parser, () => undefined);
    try {
      const parsed: AsyncIterable<Row> = parser;
      yield* parsed;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServiceError('invalid_request', `'${filePath}': expected CSV, got: ${reason}`, { cause: error });
    }
  };
}
