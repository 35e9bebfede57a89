import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { BulkRequest, BulkTask } from '../../contracts/bulk-request.ts';
import type { Engine } from '../../contracts/engine.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Progress } from '../../observability/create-progress.ts';
import { rowReader } from '../../records/input-formats.ts';
import { outputFormat } from '../../records/output-formats.ts';
import type { OutputRow } from '../../records/output-row.ts';
import { openResumableOutput } from '../../records/resumable-output.ts';
import { computeRows, type IndexedRow, numbersField, textsOf } from './compute-rows.ts';

/** What is written in one step. */
const CHUNK_ROWS = 128;
const CHUNK_CHARACTERS = 50_000;
/** What a kill costs at most, and the window in which texts of one length meet to run together. */
const CHUNKS_IN_HAND = 8;

export interface FileComputation {
  readonly request: BulkRequest;
  /** Of the model and what else changes its numbers. */
  readonly modelKey: string;
  readonly openEngine: () => Promise<Engine>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

interface Chunk {
  readonly rows: readonly IndexedRow[];
  readonly numbers: Promise<readonly Float32Array[]>;
}

/** Computes all rows of a file into another; resolves with how many there are, and how many of them were there before. */
export async function computeFile(computation: FileComputation): Promise<{ rows: number; rowsBefore: number }> {
  const { request, modelKey, openEngine, progress, signal } = computation;
  const { task, input, output } = request;
  // Whatever is wrong with the files is said before a model is loaded.
  const read = rowReader(input, request.inputFormat);
  const format = outputFormat(output, numbersField(task));
  const total = await countRows(read(input), task);
  const target = await openResumableOutput(output, format, await runKey(request, modelKey), request.overwrite);
  const { rowsBefore } = target;
  const inHand: Chunk[] = [];
  let written = rowsBefore;
  const bar = progress.start(`${task.kind} ${path.basename(input)}`, total, rowsBefore, (rows) => `${rows} rows`);

  async function writeFirst(): Promise<void> {
    const chunk = inHand.shift();
    if (chunk === undefined) return;
    const numbers = await chunk.numbers;
    await target.append(chunk.rows.map(({ index, row }, at) => outputRow(index, row, numbers[at], request)));
    written += chunk.rows.length;
    bar.set(written);
  }

  try {
    const engine = await openEngine();
    for await (const rows of chunksOf(read(input), rowsBefore, task)) {
      if (signal.aborted) throw stopped(written);
      const numbers = computeRows(task, rows, engine, signal);
      // Awaited in order; until then a failure is nobody's.
      numbers.catch(() => undefined);
      inHand.push({ rows, numbers });
      if (inHand.length === CHUNKS_IN_HAND) await writeFirst();
    }
    while (inHand.length > 0) await writeFirst();
    await target.finish();
    return { rows: written, rowsBefore };
  } catch (error) {
    await target.close().catch(() => undefined);
    throw signal.aborted ? stopped(written) : error;
  } finally {
    bar.end();
  }
}

function stopped(rows: number): ServiceError {
  return new ServiceError('shutting_down', `Stopped after ${rows} rows; the same command goes on from there.`);
}

/** Every row is looked at once before the work begins: an error in the last one would cost hours. */
async function countRows(rows: AsyncIterable<IndexedRow['row']>, task: BulkTask): Promise<number> {
  let index = 0;
  for await (const row of rows) {
    textsOf(task, { index, row });
    index += 1;
  }
  return index;
}

async function* chunksOf(
  rows: AsyncIterable<IndexedRow['row']>,
  skipped: number,
  task: BulkTask,
): AsyncIterable<readonly IndexedRow[]> {
  let chunk: IndexedRow[] = [];
  let characters = 0;
  let index = 0;
  for await (const row of rows) {
    if (index >= skipped) {
      chunk.push({ index, row });
      for (const text of textsOf(task, { index, row })) characters += text.length;
    }
    index += 1;
    if (chunk.length < CHUNK_ROWS && characters < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function outputRow(
  index: number,
  row: IndexedRow['row'],
  numbers: Float32Array | undefined,
  { keep }: BulkRequest,
): OutputRow {
  if (numbers === undefined) throw new Error('the engine answered fewer rows than it was asked for');
  const kept = Object.fromEntries(keep.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
  return { index, kept, numbers };
}

/** A run is continued only with the same input, model and options. */
async function runKey({ task, input, inputFormat, keep }: BulkRequest, modelKey: string): Promise<string> {
  const { size, mtimeMs } = await stat(input);
  const parts = { task, input: path.resolve(input), size, mtimeMs, inputFormat: inputFormat ?? '', keep, modelKey };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
