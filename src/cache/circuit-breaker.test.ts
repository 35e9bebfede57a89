import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function breakerAt(startMs: number) {
  const clock = { ms: startMs };
  return { clock, breaker: createCircuitBreaker(() => clock.ms) };
}

function opened() {
  const { clock, breaker } = breakerAt(0);
  expect([1, 2, 3].map(() => breaker.failed('use'))).toEqual([false, false, true]);
  return { clock, breaker };
}

test('failures that successes part do not open it', () => {
  const { breaker } = breakerAt(0);
  for (let round = 0; round < 10; round += 1) {
    breaker.failed('use');
    breaker.failed('use');
    breaker.succeeded('use');
  }
  expect(breaker.ask()).toBe('use');
});

test('three failures in a row open it for a second; then one trial at a time', () => {
  const { clock, breaker } = opened();
  expect(breaker.ask()).toBe('bypass');
  clock.ms = 999;
  expect(breaker.ask()).toBe('bypass');
  clock.ms = 1000;
  expect([breaker.ask(), breaker.ask()]).toEqual(['trial', 'bypass']);
});

test('a trial that works closes it', () => {
  const { clock, breaker } = opened();
  clock.ms = 1000;
  expect(breaker.succeeded(breaker.ask())).toBe(true);
  expect(breaker.ask()).toBe('use');
});

test('trials that fail make the pause longer, up to thirty seconds', () => {
  const { clock, breaker } = opened();
  const pauses = [];
  for (let trial = 0; trial < 7; trial += 1) {
    const from = clock.ms;
    while (breaker.ask() === 'bypass') clock.ms += 500;
    pauses.push(clock.ms - from);
    breaker.failed('trial');
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('an old lookup that ends well does not close it', () => {
  const { breaker } = opened();
  expect(breaker.succeeded('use')).toBe(false);
  expect(breaker.ask()).toBe('bypass');
});
