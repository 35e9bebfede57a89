import { describe, expect, test } from 'vitest';
import { median } from '../measure/percentile.mjs';
import { seededRandom } from './seeded-random.mjs';
import { mixedWordCount } from './word-counts.mjs';
import { workload } from './workload.mjs';

const words = (text: string) => text.split(' ').length;

describe('workload', () => {
  test('is the same for the same seed, and another for another', () => {
    const cell = { task: 'rerank', length: 'mixed', items: 5 } as const;
    expect(workload(cell, { count: 3, seed: 1 })).toEqual(workload(cell, { count: 3, seed: 1 }));
    expect(workload(cell, { count: 3, seed: 1 })).not.toEqual(workload(cell, { count: 3, seed: 2 }));
  });

  test('a longer one begins with the same requests', () => {
    const cell = { task: 'embed', length: 'mixed', items: 2 } as const;
    expect(workload(cell, { count: 9, seed: 1 }).slice(0, 3)).toEqual(workload(cell, { count: 3, seed: 1 }));
  });

  test('a text and its special tokens have the length asked for', () => {
    const [request] = workload({ task: 'embed', length: 16, items: 3 }, { count: 1, seed: 1 });
    expect(request?.query).toBeUndefined();
    expect(request?.texts.map(words)).toEqual([14, 14, 14]);
    expect(request?.tokens).toBe(48);
  });

  test.each([5, 8, 32, 512])('a query, its document and three special tokens have length %i', (length) => {
    const [request] = workload({ task: 'rerank', length, items: 2 }, { count: 1, seed: 1 });
    const queryWords = words(request?.query ?? '');
    expect(queryWords).toBeGreaterThan(0);
    expect(request?.texts.map((text) => words(text) + queryWords + 3)).toEqual([length, length]);
    expect(request?.tokens).toBe(2 * length);
  });

  test('texts differ, so that nothing can be answered from memory', () => {
    const texts = workload({ task: 'embed', length: 32, items: 32 }, { count: 64, seed: 1 }).flatMap(
      (one) => one.texts,
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});

test('the mixed load is a log-normal: median 40 words, a tail to 400', () => {
  const random = seededRandom(1);
  const counts = Array.from({ length: 20_000 }, () => mixedWordCount(random));
  expect(median(counts)).toBeGreaterThanOrEqual(39);
  expect(median(counts)).toBeLessThanOrEqual(41);
  expect(Math.max(...counts)).toBe(400);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
  // Of a log-normal with sigma 0.745, 17.6 % lie above twice the median.
  expect(counts.filter((count) => count > 80).length / counts.length).toBeCloseTo(0.176, 2);
});

test('random numbers spread evenly over 0..1', () => {
  const random = seededRandom(7);
  const tenths = new Array<number>(10).fill(0);
  for (let index = 0; index < 10_000; index += 1) {
    const tenth = Math.floor(random() * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(120);
});
