import { expect, test } from 'vitest';
import { watch } from './watchdog.ts';

function fakeClock() {
  const waiting: { action: () => void; delayMs: number }[] = [];
  return {
    waiting,
    schedule(action: () => void, delayMs: number) {
      const timer = { action, delayMs };
      waiting.push(timer);
      return () => void waiting.splice(waiting.indexOf(timer), 1);
    },
    fire: () => waiting.shift()?.action(),
  };
}

test('it barks when all parts of the time have passed, once', () => {
  const { waiting, schedule, fire } = fakeClock();
  let barks = 0;
  watch(1000, schedule, () => {
    barks += 1;
  });
  for (let part = 1; part <= 4; part += 1) {
    expect([waiting.length, waiting[0]?.delayMs, barks]).toEqual([1, 250, 0]);
    fire();
  }
  expect([waiting.length, barks]).toEqual([0, 1]);
});

test('it can be called off at any time', () => {
  const { waiting, schedule, fire } = fakeClock();
  const cancel = watch(1000, schedule, () => expect.unreachable());
  fire();
  cancel();
  expect(waiting).toEqual([]);
});
