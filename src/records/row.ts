import type { JsonObject } from '../contracts/json.ts';

/** One row of an input, by field name. */
export type Row = JsonObject;

/** Rows of a file in their order, from the beginning; never more of them in memory than a part of the file. */
export type RowReader = (filePath: string) => AsyncIterable<Row>;
