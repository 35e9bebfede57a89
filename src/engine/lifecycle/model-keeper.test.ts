import { expect, test } from 'vitest';
import { recordingLogger } from '../../../test/fakes/recording-logger.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { createEngine } from '../create-engine.ts';
import { createModelSlot, type ModelSlot } from '../model-slot.ts';
import { compiledOf, context, countingTokenizer, FakeScheduler, PLAIN } from '../testing/fake-models.ts';
import { MemoryBudget } from './memory-budget.ts';
import { ModelKeeper, residentsOf } from './model-keeper.ts';
import type { PreparedModel } from './model-source.ts';

interface ServiceOptions {
  readonly lazy?: boolean;
  readonly idleMs?: number;
  readonly limitBytes?: number;
}

/** Models `a` and `b` of 60 bytes each, whose runs end when the test says so, and whose time is the test's. */
function service({ lazy = false, idleMs = 0, limitBytes = 0 }: ServiceOptions = {}) {
  const events: string[] = [];
  const logger = recordingLogger();
  const ending = new AbortController();
  const failures: ServiceError[] = [];
  const runs: (() => void)[] = [];
  let timers: { readonly atMs: number; readonly action: () => void }[] = [];
  let nowMs = 0;
  let begun = 0;
  const keepers: ModelKeeper[] = [];
  const budget = new MemoryBudget({ limitBytes, residents: () => residentsOf(keepers) });

  class HeldScheduler extends FakeScheduler {
    override async submit(...given: Parameters<FakeScheduler['submit']>) {
      await new Promise<void>((resolve) => runs.push(resolve));
      return super.submit(...given);
    }
  }

  async function prepare(name: string): Promise<PreparedModel> {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return {
      estimatedBytes: 60,
      async open() {
        events.push(`open ${name}`);
        const { tokenizer } = countingTokenizer();
        return {
          model: { compiled: compiledOf('embed', 1), tokenizer, scheduler: new HeldScheduler(() => [1]), ...PLAIN },
          memoryBytes: async () => 60,
          close: async () => void events.push(`close ${name}`),
        };
      },
    };
  }

  const slots = ['a', 'b'].map((name, index): ModelSlot => {
    const slot = createModelSlot({
      servedName: name,
      modelId: name,
      engine: 'torch',
      batchSize: 32,
      embeddingDtype: 'float32',
      maxQueuedItems: 100,
      loadWaitMs: 60_000,
      onWanted: () => keepers[index]?.wanted(),
      nowMs: () => nowMs,
    });
    slot.setCapabilities(['embed']);
    keepers.push(
      new ModelKeeper({
        slot,
        source: () => prepare(name),
        budget,
        lazy,
        idleMs,
        retries: true,
        onServing: () => {},
        logger,
        signal: ending.signal,
        nowMs: () => nowMs,
        schedule(action, delayMs) {
          const timer = { atMs: nowMs + delayMs, action };
          timers.push(timer);
          return () => {
            timers = timers.filter((other) => other !== timer);
          };
        },
      }),
    );
    return slot;
  });
  const engine = createEngine(slots);
  return {
    events,
    ending,
    failures,
    lines: logger.lines,
    start: () => Promise.all(keepers.map((keeper) => keeper.start())),
    retry: () => keepers.forEach((keeper) => void keeper.retry()),
    states: () => slots.map((slot) => slot.state),
    status: () => slots.map((slot) => slot.status()),
    /** Resolves when the request has its model and is in a run, with its answer and the call that ends the run. */
    async begin(model: string) {
      const own = begun;
      begun += 1;
      const answer = engine.embed({ model, texts: ['x'] }, context());
      answer.catch(() => undefined);
      while (runs.length <= own) await new Promise(setImmediate);
      return { answer, finish: runs[own] ?? (() => {}) };
    },
    embed: (model: string) => engine.embed({ model, texts: ['x'] }, context()),
    async elapse(ms: number) {
      nowMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const { action } of due) action();
      await settled();
    },
  };
}

/** Everything that waits for nothing but promises has happened. */
const settled = () => new Promise(setImmediate);

test('a model that is not lazy is in memory from the start', async () => {
  const { start, states, events } = service();
  expect(await start()).toEqual([undefined, undefined]);
  expect([states(), events]).toEqual([
    ['ready', 'ready'],
    ['open a', 'open b'],
  ]);
});

test('a lazy model is prepared at the start and opened for its first request, which is answered', async () => {
  const { start, states, events, begin } = service({ lazy: true });
  await start();
  expect([states(), events]).toEqual([['unloaded', 'unloaded'], []]);
  const [first, second] = await Promise.all([begin('b'), begin('b')]);
  first.finish();
  second.finish();
  expect((await first.answer).model).toBe('b');
  expect((await second.answer).model).toBe('b');
  expect([states(), events]).toEqual([['unloaded', 'ready'], ['open b']]);
});

test('a model that nobody has used for a while is closed, and the next request opens it again', async () => {
  const { start, states, events, begin, elapse } = service({ idleMs: 1000 });
  await start();
  await elapse(999);
  const request = await begin('a');
  await elapse(1);
  expect(states()).toEqual(['ready', 'unloaded']);
  await elapse(5000);
  expect(states()).toEqual(['ready', 'unloaded']);
  request.finish();
  await request.answer;
  await elapse(999);
  expect(states()).toEqual(['ready', 'unloaded']);
  await elapse(1);
  expect(states()).toEqual(['unloaded', 'unloaded']);
  expect(events).toEqual(['open a', 'open b', 'close b', 'close a']);
  (await begin('a')).finish();
  expect(events.at(-1)).toBe('open a');
});

test('a model that has no room at the start waits for its first request', async () => {
  const { start, states, lines } = service({ limitBytes: 100 });
  await start();
  expect(states()).toEqual(['ready', 'unloaded']);
  expect(lines.join()).toContain('no memory left');
});

test('another model goes only when its requests are done, and one that comes meanwhile is answered later', async () => {
  const { start, events, begin, embed } = service({ limitBytes: 100 });
  await start();
  const onA = await begin('a');
  const onB = begin('b');
  await settled();
  const lateOnA = begin('a');
  await settled();
  expect(events).toEqual(['open a']);
  onA.finish();
  expect((await onA.answer).model).toBe('a');
  const b = await onB;
  expect(events).toEqual(['open a', 'close a', 'open b']);
  b.finish();
  expect((await b.answer).model).toBe('b');
  const late = await lateOnA;
  late.finish();
  expect((await late.answer).model).toBe('a');
  expect(events).toEqual(['open a', 'close a', 'open b', 'close b', 'open a']);
  await expect(embed('c')).rejects.toMatchObject({ code: 'model_not_found' });
});

test('a model that does not fit even alone fails for good, with the sizes', async () => {
  const { start, status } = service({ limitBytes: 59 });
  await start();
  expect(status()[0]).toMatchObject({ state: 'failed', recovers: false });
});

test('a cause that can pass is tried again after longer and longer pauses, while requests are told when', async () => {
  const { start, failures, status, embed, elapse, states } = service();
  const noNetwork = () => new ServiceError('model_unavailable', 'no network', { canPass: true });
  failures.push(noNetwork());
  await start();
  expect(status()[0]).toMatchObject({ state: 'failed', reason: 'no network', recovers: true, retryInS: 10 });
  await expect(embed('a')).rejects.toMatchObject({ code: 'model_failed', retryAfterS: 10 });
  failures.push(noNetwork());
  await elapse(10_000);
  expect(status()[0]).toMatchObject({ state: 'failed', retryInS: 20 });
  await elapse(19_999);
  expect(states()).toEqual(['failed', 'ready']);
  await elapse(1);
  expect(states()).toEqual(['ready', 'ready']);
});

test('a cause that does not pass is final until somebody asks', async () => {
  const { start, failures, status, elapse, retry, states } = service();
  failures.push(new ServiceError('invalid_checkpoint', 'a tensor is missing'));
  expect((await start())[0]).toMatchObject({ code: 'invalid_checkpoint' });
  await elapse(1e9);
  expect(status()[0]).toMatchObject({ state: 'failed', recovers: false, retryInS: undefined });
  retry();
  await settled();
  expect(states()).toEqual(['ready', 'ready']);
});

test('a request that waits for a load that a shutdown stops is told so', async () => {
  const { start, failures, ending, embed } = service({ lazy: true });
  await start();
  failures.push(new ServiceError('shutting_down', 'stopped'));
  ending.abort();
  await expect(embed('a')).rejects.toMatchObject({ code: 'shutting_down' });
});
