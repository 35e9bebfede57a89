import { rename, rm } from 'node:fs/promises';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { JsonObject, JsonValue } from '../contracts/json.ts';
import type { OutputFormat } from './output-formats.ts';
import type { NumbersField } from './output-row.ts';
import { linesOf } from './read-lines.ts';

/** A row group is held in memory whole: 10,000 vectors of 1024 numbers are 80 MB of JavaScript numbers. */
const ROWS_PER_GROUP = 10_000;

/** A row as it waits for the end, in a line of JSON. */
interface WaitingRow {
  readonly index: number;
  readonly kept: JsonObject;
  /** base64 of little-endian float32. */
  readonly numbers: string;
}

/**
 * A Parquet file names its row groups at its end, so it cannot be appended to. Rows wait in lines, and become the file when
 * all are there. Kept fields are strings; what is none is JSON text.
 */
export function parquetOutput(field: NumbersField): OutputFormat {
  return {
    encode(rows) {
      const lines = rows.map(({ index, kept, numbers }) => {
        const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        const waiting: WaitingRow = { index, kept, numbers: bytes.toString('base64') };
        return `${JSON.stringify(waiting)}\n`;
      });
      return Buffer.from(lines.join(''));
    },
    async finish(partial, target) {
      const unfinished = `${target}.unfinished`;
      await rm(unfinished, { force: true });
      await writeParquet(partial, unfinished, field);
      await rename(unfinished, target);
      await rm(partial);
    },
  };
}

async function writeParquet(partial: string, filePath: string, field: NumbersField): Promise<void> {
  let writer: ParquetWriter | undefined;
  let names: readonly string[] = [];
  let group: WaitingRow[] = [];

  async function writeGroup(): Promise<void> {
    if (writer === undefined) names = [...new Set(group.flatMap(({ kept }) => Object.keys(kept)))];
    writer ??= new ParquetWriter({ writer: fileWriter(filePath), schema: schemaOf(names, field) });
    const columns = [
      { name: 'index', data: group.map(({ index }) => BigInt(index)) },
      ...names.map((name) => ({ name, data: group.map(({ kept }) => textOf(kept[name])) })),
      { name: field.name, data: group.map((row) => numbersOf(row, field)) },
    ];
    await writer.write({ columnData: columns, rowGroupSize: ROWS_PER_GROUP });
    group = [];
  }

  for await (const line of linesOf(partial)) {
    group.push(JSON.parse(line) as WaitingRow);
    if (group.length === ROWS_PER_GROUP) await writeGroup();
  }
  if (group.length > 0 || writer === undefined) await writeGroup();
  await writer?.finish();
}

function numbersOf({ numbers }: WaitingRow, { isSingle }: NumbersField): number | number[] {
  const bytes = Buffer.from(numbers, 'base64');
  const values = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
  return isSingle ? (values[0] ?? 0) : values;
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function schemaOf(names: readonly string[], { name, isSingle }: NumbersField): SchemaElement[] {
  const kept = names.map(
    (column): SchemaElement => ({
      name: column,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'OPTIONAL',
    }),
  );
  const numbers: SchemaElement[] = isSingle
    ? [{ name, type: 'FLOAT', repetition_type: 'REQUIRED' }]
    : [
        { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
      ];
  return [
    { name: 'root', num_children: names.length + 2 },
    { name: 'index', type: 'INT64', repetition_type: 'REQUIRED' },
    ...kept,
    ...numbers,
  ];
}
