import { expect, test } from 'vitest';
import { assembleBody } from './assemble-body.ts';

const quiet = new AbortController().signal;

test('a small body stays one string', async () => {
  expect(await assembleBody(['a', 'b', 'c'], quiet)).toBe('abc');
});

test('a large body is cut into chunks of UTF-8, and others get their turn in between', async () => {
  const events: string[] = [];
  function* pieces() {
    for (const piece of ['äb', 'c', 'de', 'f', 'g']) {
      events.push(piece);
      if (piece === 'äb') setImmediate(() => events.push('another request'));
      yield piece;
    }
  }
  const body = await assembleBody(pieces(), quiet, 3);
  expect(body).toEqual({ chunks: [Buffer.from('äbc'), Buffer.from('def'), Buffer.from('g')], bytes: 8 });
  expect(events).toEqual(['äb', 'c', 'another request', 'de', 'f', 'g']);
});

test('work stops between chunks when the client has gone', async () => {
  const controller = new AbortController();
  const reason = new Error('gone');
  let made = 0;
  function* pieces() {
    for (;;) {
      made += 1;
      if (made === 2) controller.abort(reason);
      yield 'abc';
    }
  }
  await expect(assembleBody(pieces(), controller.signal, 3)).rejects.toBe(reason);
  expect(made).toBe(2);
});

test('an error of the piece maker is the error of the body', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it could.
  function* pieces(): Generator<string> {
    throw new Error('not finite');
  }
  await expect(assembleBody(pieces(), quiet)).rejects.toThrow('not finite');
});
