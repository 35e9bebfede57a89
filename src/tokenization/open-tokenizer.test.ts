// The real worker, from the build: `npm run build` comes first, as it does for `npm test`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { createTokenizer } from './create-tokenizer.ts';
import { openTokenizer } from './open-tokenizer.ts';
import { type StartTokenizerThread, startTokenizerThread, type TokenizerThread } from './start-tokenizer-thread.ts';

const RERANKER = fileURLToPath(new URL('../../test/golden/public/bert-reranker/model', import.meta.url));
const BUILT = new URL('../../dist/tokenization/open-tokenizer.js', import.meta.url).href;
const LIMITS = { vocabularySize: 100_000, maxPositions: 32 };

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'tokenizer-'));
});
afterAll(() => rmSync(copy, { recursive: true }));

const folderAt = (folderPath: string) => fakeModelFolder({ path: folderPath, files: readdirSync(folderPath) });

/** A folder with a tokenizer that a test may damage. */
function copiedFolder(): { readonly folder: ModelFolder; readonly file: string } {
  const file = path.join(copy, 'tokenizer.json');
  writeFileSync(file, readFileSync(path.join(RERANKER, 'tokenizer.json')));
  return { folder: folderAt(copy), file };
}

const idsOf = (encodings: readonly Encoding[]) => encodings.map(({ ids }) => [...ids]);

/** Starts real threads and keeps them, so that a test can end them. */
function watchedThreads(): { readonly threads: TokenizerThread[]; readonly startThread: StartTokenizerThread } {
  const threads: TokenizerThread[] = [];
  return {
    threads,
    startThread(source, events) {
      const thread = startTokenizerThread(source, events);
      threads.push(thread);
      return thread;
    },
  };
}

test('the worker gives what the tokenizer gives in the calling thread', async () => {
  const here = await createTokenizer(folderAt(RERANKER), LIMITS);
  const there = await openTokenizer(folderAt(RERANKER), LIMITS);
  const texts = ['cats sleep.', '', 'the river was '.repeat(50), '\ud800 😀 東京', 'cats sleep. '.repeat(200_000)];
  expect(there.maxSequenceLength).toBe(here.maxSequenceLength);
  expect(await there.encode(texts)).toEqual(await here.encode(texts));
  expect(await there.encodePairs('cats', texts)).toEqual(await here.encodePairs('cats', texts));
  expect(await there.encode([])).toEqual([]);
  for (const truncation of ['left', 'right', 'none'] as const) {
    const some = texts.slice(0, 4);
    expect(await there.encode(some, { truncation })).toEqual(await here.encode(some, { truncation }));
    expect(await there.encodePairs('cats', some, { truncation })).toEqual(
      await here.encodePairs('cats', some, { truncation }),
    );
  }
});

test('an item that is too long loses its end, its beginning, or nothing', async () => {
  const tokenizer = await openTokenizer(folderAt(RERANKER), LIMITS);
  const text = 'the river was '.repeat(20);
  const lengths = async (truncation: 'left' | 'right' | 'none') =>
    idsOf(await tokenizer.encode([text], { truncation }))[0] ?? [];
  const whole = await lengths('none');
  const [first, ...body] = whole;
  const last = body.pop();
  expect(whole.length).toBeGreaterThan(32);
  expect(await lengths('right')).toEqual([first, ...body.slice(0, 30), last]);
  expect(await lengths('left')).toEqual([first, ...body.slice(-30), last]);
  expect(idsOf(await tokenizer.encodeIds([Int32Array.from(whole)]))).toEqual([await lengths('right')]);
  const [pair] = idsOf(await tokenizer.encodePairs(text, [text], { truncation: 'none' }));
  expect(pair).toHaveLength(2 * body.length + 3);
});

test('tokens know their bytes, ids their text', async () => {
  const tokenizer = await openTokenizer(folderAt(RERANKER), LIMITS);
  const text = 'The cats sleep.';
  const [tokens = [], none] = await tokenizer.tokenize([text, ''], true);
  expect(tokens.filter((token) => token.special).map((token) => [token.text, token.start])).toEqual([
    ['[CLS]', undefined],
    ['[SEP]', undefined],
  ]);
  for (const { special, text: part, start, stop } of tokens) {
    if (!special) expect(Buffer.from(text).subarray(start, stop).toString()).toBe(part);
  }
  expect(none).toHaveLength(2);
  const ids = Int32Array.from(tokens, ({ id }) => id);
  expect(await tokenizer.tokenTexts(ids)).toContain('[CLS]');
  expect(await tokenizer.decode([ids], false)).toEqual([expect.stringMatching(/^\[CLS\].*\[SEP\]$/)]);
  expect(await tokenizer.decode([ids], true)).toEqual([expect.not.stringContaining('[CLS]')]);
  const [umlaut = []] = await tokenizer.tokenize(['ü😀 cats'], false);
  const last = umlaut.at(-1);
  expect([last?.text, last?.start, last?.stop]).toEqual(['s', 10, 11]);
});

test('errors cross with their code and message', async () => {
  await expect(openTokenizer({ ...folderAt(RERANKER), files: [] }, LIMITS)).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'invalid_model_folder',
    message: expect.stringContaining('a folder without any vocabulary'),
  });
  const tokenizer = await openTokenizer(folderAt(RERANKER), { vocabularySize: 8, maxPositions: 32 });
  await expect(tokenizer.encode(['cats'])).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'invalid_request',
    message: expect.stringContaining("outside the model's vocabulary"),
  });
});

describe('a worker that dies', () => {
  test('fails the calls in its hand; the next calls share a new one', async () => {
    const { threads, startThread } = watchedThreads();
    const tokenizer = await openTokenizer(folderAt(RERANKER), LIMITS, startThread);
    const expected = idsOf(await tokenizer.encode(['cats']));
    const lost = tokenizer.encode(['cats sleep. '.repeat(100_000)]);
    threads[0]?.stop();
    await expect(lost).rejects.toMatchObject({ name: 'ServiceError', code: 'internal_error' });
    const answers = await Promise.all([tokenizer.encode(['cats']), tokenizer.encode(['cats'])]);
    expect(answers.map(idsOf)).toEqual([expected, expected]);
    expect(threads).toHaveLength(2);
  });

  test('gives the reason when it cannot be started again, and comes back when it can', async () => {
    const { threads, startThread } = watchedThreads();
    const { folder, file } = copiedFolder();
    const tokenizer = await openTokenizer(folder, LIMITS, startThread);
    const lost = tokenizer.encode(['cats sleep. '.repeat(100_000)]);
    threads[0]?.stop();
    await expect(lost).rejects.toMatchObject({ code: 'internal_error' });
    writeFileSync(file, '{');
    await expect(tokenizer.encode(['cats'])).rejects.toMatchObject({ code: 'invalid_model_folder' });
    copiedFolder();
    expect(await tokenizer.encode(['cats'])).toHaveLength(1);
    expect(threads).toHaveLength(3);
  });
});

test('a process with an open tokenizer waits for its answer and then ends by itself', async () => {
  const program = `
    const { openTokenizer } = await import(${JSON.stringify(BUILT)});
    const tokenizer = await openTokenizer(${JSON.stringify(folderAt(RERANKER))}, ${JSON.stringify(LIMITS)});
    tokenizer.encode(['cats']).then((encodings) => console.log(encodings.length));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 });
  expect(await run).toEqual({ stdout: '1\n', stderr: '' });
});
