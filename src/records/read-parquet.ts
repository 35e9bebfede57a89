import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ServiceError } from '../contracts/errors.ts';
import type { JsonValue } from '../contracts/json.ts';
import type { Row } from './row.ts';

/**
 * One row group at a time, and of it one column after the other: the reader starts all that it is asked for at once, and when
 * two of them are damaged nobody hears of the second, which would end the process.
 */
export async function* readParquet(filePath: string): AsyncIterable<Row> {
  try {
    const file = await asyncBufferFromFile(filePath);
    const metadata = await parquetMetadataAsync(file);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const rows: Record<string, unknown>[] = [];
      for (const column of columns) {
        const read = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors, columns: [column] });
        for (const [index, fields] of read.entries()) rows[index] = { ...rows[index], ...fields };
      }
      for (const row of rows) yield toRow(row);
      rowStart = rowEnd;
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_request', `'${filePath}': expected a Parquet file, got: ${reason}`, {
      cause: error,
    });
  }
}

function toRow(fields: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toJson(value)]));
}

/** Parquet has kinds of values that JSON has not. */
function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object') return toRow({ ...value });
  return String(value);
}
