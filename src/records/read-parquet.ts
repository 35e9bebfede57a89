import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ServiceError } from '../contracts/errors.ts';
import type { JsonValue } from '../contracts/json.ts';
import type { Row } from './row.ts';

/** One row group at a time. */
export async function* readParquet(filePath: string): AsyncIterable<Row> {
  try {
    const file = await asyncBufferFromFile(filePath);
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors })) yield toRow(row);
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
