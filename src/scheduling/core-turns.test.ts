import { expect, test } from 'vitest';
import { CoreTurns } from './core-turns.ts';

/** Users that note their turns and take them, and a clock that only the test moves. */
function turnsOf(cores: number) {
  const timers: (() => void)[] = [];
  const turns = new CoreTurns(cores, (action) => {
    timers.push(action);
    return () => timers.splice(timers.indexOf(action), 1);
  });
  const log: string[] = [];
  const user = (name: string, threads: number, takes = true) => {
    const self = {
      threads,
      onTurn() {
        log.push(name);
        if (takes) turns.take(self);
      },
    };
    return self;
  };
  return { turns, log, user, timers };
}

test('whoever asks gets the cores while they are free, the others in the order in which they asked', () => {
  const { turns, log, user, timers } = turnsOf(2);
  const [a, b, c] = [user('a', 2), user('b', 2), user('c', 2)];
  expect(turns.take(a)).toBe(true);
  expect([turns.isContended, turns.take(b), turns.take(c), turns.take(b)]).toEqual([false, false, false, false]);
  expect(turns.isContended).toBe(true);
  turns.release(a);
  expect(log).toEqual(['b']);
  // a came again while c waits: c is first.
  expect(turns.take(a)).toBe(false);
  turns.release(b);
  turns.release(c);
  expect(log).toEqual(['b', 'c', 'a']);
  expect([turns.isContended, timers]).toEqual([false, []]);
});

test('users that fit together run together', () => {
  const { turns, user } = turnsOf(4);
  expect([turns.take(user('a', 2)), turns.take(user('b', 2)), turns.take(user('c', 1))]).toEqual([true, true, false]);
});

test('one with more threads than cores runs alone', () => {
  const { turns, user } = turnsOf(2);
  const large = user('large', 8);
  expect([turns.take(large), turns.take(user('b', 1))]).toEqual([true, false]);
});

test('a turn that is not taken goes to the next', () => {
  const { turns, log, user } = turnsOf(2);
  const a = user('a', 2);
  turns.take(a);
  turns.take(user('gone', 2, false));
  turns.take(user('c', 2));
  turns.release(a);
  expect(log).toEqual(['gone', 'c']);
  expect(turns.isContended).toBe(false);
});

test('whoever has waited too long runs beside the one that does not end', () => {
  const { turns, log, user, timers } = turnsOf(2);
  const [hanging, patient] = [user('hanging', 2), user('patient', 2)];
  turns.take(hanging);
  turns.take(patient);
  timers[0]?.();
  expect(log).toEqual(['patient']);
  expect(turns.isContended).toBe(false);
  turns.release(patient);
  expect(turns.take(user('c', 2))).toBe(false);
  turns.release(hanging);
  expect(log).toEqual(['patient', 'c']);
});
