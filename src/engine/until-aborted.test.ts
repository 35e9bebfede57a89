import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { untilAborted } from './until-aborted.ts';

test('gives what the promise gives', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('gives the reason as soon as the signal aborts, and ignores what comes later', async () => {
  const controller = new AbortController();
  let fail = (_: Error): void => {};
  const never = new Promise<number>((_, reject) => {
    fail = reject;
  });
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new ServiceError('deadline_exceeded', 'too late'));
  await expect(waiting).rejects.toThrow('too late');
  await expect(untilAborted(never, controller.signal)).rejects.toThrow('too late');
  fail(new Error('ignored'));
});
