import { expect, test } from 'vitest';
import { entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { recordingLogger } from '../../test/fakes/recording-logger.ts';
import type { VectorStore } from '../contracts/vector-store.ts';
import { guardStore } from './guarded-store.ts';
import { createMemoryStore } from './memory-store.ts';

type Mode = 'works' | 'fails' | 'hangs';

/** A store in memory whose lookups and writes can be broken. */
function breakable() {
  const inner = createMemoryStore(1024 * 1024);
  const mode: { lookups: Mode; writes: Mode } = { lookups: 'works', writes: 'works' };
  const calls = { lookups: 0, writes: 0 };
  const behave = <T>(how: Mode, work: () => Promise<T>): Promise<T> => {
    if (how === 'works') return work();
    return how === 'fails' ? Promise.reject(new Error('connection refused')) : new Promise(() => undefined);
  };
  const store: VectorStore = {
    ...inner,
    name: 'fake',
    getMany(keys) {
      calls.lookups += 1;
      return behave(mode.lookups, () => inner.getMany(keys));
    },
    setMany(entries) {
      calls.writes += 1;
      return behave(mode.writes, () => inner.setMany(entries));
    },
  };
  const clock = { ms: 0 };
  const logger = recordingLogger();
  return { guarded: guardStore(store, { logger, nowMs: () => clock.ms }), mode, calls, clock, lines: logger.lines };
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

test.each(['fails', 'hangs'] as const)(
  'a store that %s is not known, then bypassed, and comes back by itself',
  async (how) => {
    const { guarded, mode, calls, clock, lines } = breakable();
    await guarded.setMany([entryOf('a', 1)]);
    mode.lookups = how;
    for (let lookup = 0; lookup < 10; lookup += 1) expect(await guarded.getMany([keyOf('a')])).toEqual([undefined]);
    expect(calls.lookups).toBe(3);
    expect(lines).toEqual([expect.stringContaining('is bypassed (fake)')]);
    expect(await guarded.stats()).toMatchObject({ errors: 3, bypassed: 7 });
    expect(guarded.counts()).toMatchObject({ errors: 3, bypassed: 7 });

    mode.lookups = 'works';
    clock.ms = 1000;
    // The trial is made in the background: this lookup does not wait for it.
    expect(await guarded.getMany([keyOf('a')])).toEqual([undefined]);
    await turns();
    expect(await guarded.getMany([keyOf('a')])).toEqual([Float32Array.of(1)]);
    expect(lines.at(-1)).toBe('The vector cache answers again (fake).');
  },
);

test('a store that cannot be written is still read, and is written again when it can be', async () => {
  const { guarded, mode, calls, clock, lines } = breakable();
  await guarded.setMany([entryOf('a', 1)]);
  mode.writes = 'fails';
  for (let write = 0; write < 10; write += 1) await guarded.setMany([entryOf('b', 2)]);
  expect(calls.writes).toBe(1 + 3);
  expect(await guarded.getMany([keyOf('a')])).toEqual([Float32Array.of(1)]);
  expect(lines).toEqual([expect.stringContaining('takes nothing and is only read (fake): connection refused')]);

  mode.writes = 'works';
  clock.ms = 1000;
  await guarded.setMany([entryOf('c', 3)]);
  expect(await guarded.getMany([keyOf('c')])).toEqual([Float32Array.of(3)]);
  expect(lines.at(-1)).toBe('The vector cache takes vectors again (fake).');
});

test('what a slow store has not taken yet is bounded', async () => {
  const { guarded, mode, calls } = breakable();
  mode.writes = 'hangs';
  const row = new Float32Array(4 * 1024 * 1024);
  for (let write = 0; write < 10; write += 1) void guarded.setMany([{ key: keyOf(`${write}`), row }]);
  expect(calls.writes).toBe(4);
  expect(await guarded.stats()).toMatchObject({ bypassed: 6 });
});

test('a lookup is not late because this thread was busy while the answer came', async () => {
  const { guarded, mode } = breakable();
  await guarded.setMany([entryOf('a', 1)]);
  mode.lookups = 'works';
  const answer = guarded.getMany([keyOf('a')]);
  const until = performance.now() + 60;
  while (performance.now() < until);
  expect(await answer).toEqual([Float32Array.of(1)]);
});
