import { describe, expect, it } from 'vitest';
import { signalMeaning } from './shutdown-signals.ts';

describe('signalMeaning', () => {
  it.each([
    ['the first signal stops', undefined, 5, 'stop'],
    ['the same Ctrl+C arriving twice is one', 5, 8, 'repeat'],
    ['a second one later forces', 5, 2000, 'force'],
  ] as const)('%s', (_name, firstMs, nowMs, expected) => {
    expect(signalMeaning(firstMs, nowMs)).toBe(expected);
  });
});
