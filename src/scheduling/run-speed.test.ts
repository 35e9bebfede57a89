import { expect, test } from 'vitest';
import { RunSpeed } from './run-speed.ts';

test('nothing is known before the first run', () => {
  const speed = new RunSpeed();
  expect([speed.tokensPerMs, speed.bestTokensPerMs]).toEqual([undefined, undefined]);
});

test('the speed is that of the last runs', () => {
  const speed = new RunSpeed();
  for (let run = 0; run < 20; run += 1) speed.record(10_000, 1_000);
  expect(speed.tokensPerMs).toBeCloseTo(10);
  for (let run = 0; run < 20; run += 1) speed.record(10_000, 5_000);
  expect(speed.tokensPerMs).toBeCloseTo(2, 1);
  expect(speed.bestTokensPerMs).toBeCloseTo(10);
});

test('an answer that was read late with the next one at its heels is no best speed', () => {
  const speed = new RunSpeed();
  speed.record(500, 99);
  speed.record(500, 1);
  expect(speed.bestTokensPerMs).toBe(10);
});
