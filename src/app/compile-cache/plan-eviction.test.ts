import { describe, expect, it } from 'vitest';
import { planEviction } from './plan-eviction.ts';

const entry = (name: string, bytes: number, lastUsedMs: number) => ({ name, bytes, lastUsedMs });

describe('planEviction', () => {
  it.each([
    ['keeps everything within the limit', [entry('a', 5, 1), entry('b', 5, 2)], 10, 100, []],
    ['removes the least recently used first', [entry('new', 5, 9), entry('old', 5, 1)], 5, 100, ['old']],
    ['removes as many as needed', [entry('a', 5, 1), entry('b', 5, 2), entry('c', 5, 3)], 6, 100, ['a', 'b']],
    ['keeps what was used of late, even over the limit', [entry('a', 50, 7), entry('b', 50, 8)], 10, 7, []],
  ])('%s', (_name, entries, limitBytes, keepAfterMs, expected) => {
    expect(planEviction(entries, limitBytes, keepAfterMs)).toEqual(expected);
  });
});
