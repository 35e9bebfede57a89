import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import type { BulkRequest } from '../../contracts/bulk-request.ts';
import type { Engine } from '../../contracts/engine.ts';
import { createEngine } from '../../engine/create-engine.ts';
import { computeFile } from './compute-file.ts';

const ROWS = 1000;
const silent = { start: () => ({ set: () => undefined, end: () => undefined }) };

/** An engine whose vector of a text is its length and its last number, and whose score is the document's number. */
function fakeEngine(beforeEach: () => void = () => undefined): { engine: Engine; seen: string[] } {
  const seen: string[] = [];
  const numberOf = (text: string) => Number(/\d+$/.exec(text)?.[0] ?? 0);
  const engine: Engine = {
    ...createEngine([]),
    async embed({ texts }) {
      beforeEach();
      const vectors = texts.map(String).map((text) => {
        seen.push(text);
        return Float32Array.of(text.length, numberOf(text));
      });
      return { model: 'm', tokens: 0, dense: [{ dtype: 'float32', vectors }], sparse: [], colbert: [] };
    },
    async rerank({ query, documents, rawScores }) {
      seen.push(query);
      const scored = documents.map((text, index) => ({ index, score: numberOf(text) / (rawScores ? 1 : 1024) }));
      return { model: 'm', tokens: 0, results: scored.sort((a, b) => b.score - a.score) };
    },
  };
  return { engine, seen };
}

function world(output: string, rest: Partial<BulkRequest> = {}) {
  const folder = temporaryFolder();
  const input = path.join(folder, 'in.jsonl');
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    id: `r${index}`,
    text: `${'x'.repeat(index % 7)} ${index}`,
  }));
  writeFileSync(input, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const request: BulkRequest = {
    task: { kind: 'embed', textField: 'text' },
    input,
    inputFormat: undefined,
    output: path.join(folder, output),
    keep: ['id'],
    overwrite: false,
    ...rest,
  };
  const run = (engine: Engine, changed: Partial<BulkRequest> = {}, modelKey = 'model') =>
    computeFile({
      request: { ...request, ...changed },
      modelKey,
      openEngine: async () => engine,
      progress: silent,
      signal: new AbortController().signal,
    });
  return { folder, request, run, rows };
}

const linesIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** An engine that fails for good after so many chunks, as a killed process would. */
const failing = (chunks: number) => {
  let left = chunks;
  return fakeEngine(() => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  }).engine;
};

test('each row of the input is a line of the output, in order', async () => {
  const { request, run, folder, rows } = world('out.jsonl');
  expect(await run(fakeEngine().engine)).toEqual({ rows: ROWS, rowsBefore: 0 });
  expect(linesIn(request.output)).toEqual(
    rows.map(({ id, text }, index) => ({ index, id, embedding: [text.length, index] })),
  );
  expect(readdirSync(folder).sort()).toEqual(['in.jsonl', 'out.jsonl']);
});

test.each(['out.jsonl', 'out.npy', 'out.parquet'])(
  'a run that is ended again and again makes the same %s',
  async (output) => {
    const whole = world(output);
    await whole.run(fakeEngine().engine);
    const broken = world(output);
    for (const chunks of [0, 3, 1, 2]) await expect(broken.run(failing(chunks))).rejects.toThrow('killed');
    // Bytes after the last checkpoint, as a kill between the two leaves them.
    const partial = `${broken.request.output}.partial`;
    writeFileSync(partial, Buffer.concat([readFileSync(partial), Buffer.from('half a row')]));
    const last = fakeEngine();
    const { rows, rowsBefore } = await broken.run(last.engine);
    expect(rows).toBe(ROWS);
    expect(rowsBefore).toBeGreaterThan(0);
    expect(last.seen).toHaveLength(ROWS - rowsBefore);
    expect(readFileSync(broken.request.output)).toEqual(readFileSync(whole.request.output));
    expect(existsSync(partial)).toBe(false);
  },
);

test('a NumPy file has the shape of its rows', async () => {
  const { request, run } = world('out.npy');
  await run(fakeEngine().engine);
  const bytes = readFileSync(request.output);
  expect(bytes.toString('latin1', 0, 8)).toBe('\u0093NUMPY\u0001\u0000');
  expect(bytes.toString('latin1', 10, 128).trim()).toBe(
    `{'descr': '<f4', 'fortran_order': False, 'shape': (${ROWS}, 2), }`,
  );
  expect(bytes).toHaveLength(128 + ROWS * 2 * 4);
  expect(bytes.readFloatLE(128 + 4 * (2 * 999 + 1))).toBe(999);
});

test('a Parquet file has the kept fields and lists of numbers', async () => {
  const { request, run } = world('out.parquet', { keep: ['id', 'nowhere'] });
  await run(fakeEngine().engine);
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(request.output) });
  expect(rows).toHaveLength(ROWS);
  expect(rows[8]).toEqual({ index: 8n, id: 'r8', embedding: [3, 8] });
});

test('pairs are scored in the order of the file, neighbours of one query together', async () => {
  const { request, run, folder } = world('scores.jsonl', {
    task: { kind: 'rerank', queryField: 'q', documentField: 'd', rawScores: false },
    input: '',
  });
  const input = path.join(folder, 'pairs.csv');
  writeFileSync(input, 'q,d\na,d 512\na,d 256\nb,d 1024\na,d 0\n');
  const { engine, seen } = fakeEngine();
  await run(engine, { input });
  expect(linesIn(request.output).map(({ score }) => score)).toEqual([0.5, 0.25, 1, 0]);
  expect(seen).toEqual(['a', 'b', 'a']);
});

test('an output that is there, and a run of another kind, are refused; --overwrite replaces them', async () => {
  const { request, run } = world('out.jsonl');
  await expect(run(failing(4))).rejects.toThrow('killed');
  await expect(run(fakeEngine().engine, {}, 'another model')).rejects.toThrow(
    /out\.jsonl\.checkpoint': expected a run with the same input, model and options, got another one; --overwrite/,
  );
  expect(await run(fakeEngine().engine, { overwrite: true }, 'another model')).toEqual({ rows: ROWS, rowsBefore: 0 });
  await expect(run(fakeEngine().engine)).rejects.toThrow(/expected a file that is not there yet, got one; --overwrite/);
  expect(linesIn(request.output)).toHaveLength(ROWS);
});

test('a row without its text is refused before anything is computed', async () => {
  const { request, run } = world('out.jsonl');
  writeFileSync(request.input, '{"text":"a"}\n{"body":"b"}\n');
  const { engine, seen } = fakeEngine();
  await expect(run(engine)).rejects.toThrow("row 2: expected text in the field 'text', got the fields body");
  expect(seen).toEqual([]);
});

test('an empty file makes an empty output', async () => {
  for (const output of ['out.jsonl', 'out.npy', 'out.parquet']) {
    const { request, run } = world(output);
    writeFileSync(request.input, '');
    expect(await run(fakeEngine().engine)).toEqual({ rows: 0, rowsBefore: 0 });
    expect(existsSync(request.output)).toBe(true);
  }
});
