import { expect, test } from 'vitest';
import { bytesText } from './bytes-text.ts';
import { createProgress } from './create-progress.ts';
import { durationText } from './duration-text.ts';
import { progressText } from './progress-text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_951, '1.0 MB'],
  [2_270_000_000, '2.3 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([
  [0, '0 s'],
  [41_400, '41 s'],
  [59_600, '1 min 00 s'],
  [185_000, '3 min 05 s'],
  [7_800_000, '2 h 10 min'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('the rate counts what came since the start, and what is left follows from it', () => {
  const state = { done: 500_000, total: 1_000_000, doneBefore: 100_000, elapsedMs: 4000 };
  expect(progressText(state, bytesText)).toBe('50 % (500.0 kB of 1.0 MB), 100.0 kB/s, 5 s left');
  expect(progressText({ ...state, total: undefined }, bytesText)).toBe('500.0 kB, 100.0 kB/s');
  expect(progressText({ ...state, done: 0, elapsedMs: 0 }, bytesText)).toBe('0 % (0 B of 1.0 MB), 0 B/s');
  expect(progressText({ ...state, done: 0, total: 0 }, bytesText)).toMatch(/^100 %/);
});

function world(terminal: boolean) {
  let now = 0;
  const written: string[] = [];
  const logged: string[] = [];
  const ignore = () => undefined;
  const logger = { error: ignore, warning: ignore, debug: ignore, info: (message: string) => logged.push(message) };
  const progress = createProgress({
    logger,
    terminal: terminal ? { write: (text) => written.push(text), columns: 60 } : undefined,
    nowMs: () => now,
  });
  return { progress, written, logged, at: (ms: number) => (now = ms) };
}

test('a log gets a plain line every ten seconds', () => {
  const { progress, logged, at } = world(false);
  const task = progress.start('Downloading a/b', 1000, 0, bytesText);
  for (const ms of [1, 5000, 9999, 10_000, 15_000, 20_000]) {
    at(ms);
    task.set(ms / 100);
  }
  task.end();
  expect(logged).toEqual([
    'Downloading a/b: 10 % (100 B of 1.0 kB), 10 B/s, 1 min 30 s left',
    'Downloading a/b: 20 % (200 B of 1.0 kB), 10 B/s, 1 min 20 s left',
  ]);
});

test('a terminal has one line for all tasks, cut to its width, gone at the end', () => {
  const { progress, written, logged, at } = world(true);
  const first = progress.start('a', 1000, 0, bytesText);
  const second = progress.start('b', 1000, 0, bytesText);
  at(1000);
  first.set(500);
  first.set(501);
  at(1200);
  second.set(100);
  first.end();
  second.end();
  second.end();
  expect(written.map((text) => text.replace('\r\u001b[2K', ''))).toEqual([
    'a: 50 % (500 B of 1.0 kB), 500 B/s, 1 s left',
    'a: 50 % (500 B of 1.0 kB), 500 B/s, 1 s left | b: 10 % (100',
    'b: 10 % (100 B of 1.0 kB), 83 B/s, 11 s left',
    '',
  ]);
  expect(logged).toEqual([]);
});
