// The vector cache: requests with everything known over the same computed, the cost of a lookup that finds nothing, and
// memory at its bound. Ratios of alternating rounds in one run, medians.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedScheduler } from '../dist/cache/cached-scheduler.js';
import { createDiskStore } from '../dist/cache/disk/disk-store.js';
import { guardStore } from '../dist/cache/guarded-store.js';
import { layeredStore } from '../dist/cache/layered-store.js';
import { createMemoryStore } from '../dist/cache/memory-store.js';
import { createRedisStore } from '../dist/cache/redis-store.js';
import { startLane } from '../dist/lanes/start-lane.js';
import { CoreTurns } from '../dist/scheduling/core-turns.js';
import { createScheduler } from '../dist/scheduling/create-scheduler.js';
import { openTokenizer } from '../dist/tokenization/open-tokenizer.js';
import { compiledModel, LANE_MAIN, logger, machine } from './limit/compiled-model.mjs';
import { median } from './measure/percentile.mjs';
import { startServer } from './servers/own-server.mjs';

const MODEL = 'BAAI/bge-small-en-v1.5';
const ROUNDS = 12;
const MISS_ROUNDS = 60;
const TEXTS = 4;
/** About 120 tokens. */
const text = (/** @type {string} */ name) => `${name} ${'cats and dogs sleep in the warm sun all day '.repeat(12)}`;
const textsOf = (/** @type {string} */ name) => Array.from({ length: TEXTS }, (_, index) => text(`${name} ${index}`));
const WARM_KEYS = ['A'.repeat(43)];
/** @returns {number[]} */
const newTimes = () => [];

const folder = mkdtempSync(path.join(tmpdir(), 'infinity-bench-'));
/** Given by INFINITY_VECTOR_CACHE_URL; its entries under other keys are left alone, those of this run expire. */
const redisUrl = process.env.INFINITY_VECTOR_CACHE_URL;

async function throughput() {
  const server = await startServer({ INFINITY_HOME: folder }, [
    '--model-id',
    MODEL,
    '--vector-memory-cache-bytes',
    '100000000',
  ]);
  const ask = async (/** @type {string} */ input, /** @type {boolean} */ cache) => {
    const from = performance.now();
    const reply = await fetch(`${server.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input, cache, encoding_format: 'base64' }),
    });
    const { usage } = /** @type {{ usage: { total_tokens: number } }} */ (await reply.json());
    return { ms: performance.now() - from, tokens: usage.total_tokens };
  };
  const input = text('the same');
  const { tokens } = await ask(input, true);
  await ask(input, true);
  /** @type {number[]} */
  const known = [];
  /** @type {number[]} */
  const computed = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let number = 0; number < 20; number += 1) known.push((await ask(input, true)).ms);
    for (let number = 0; number < 5; number += 1) computed.push((await ask(input, false)).ms);
  }
  const rate = (/** @type {number[]} */ samples) => (1000 / median(samples)).toFixed(0);
  console.log(
    `one text of ${tokens} tokens by HTTP, one client: ${rate(computed)} requests/s computed, ${rate(known)} known: ${(median(computed) / median(known)).toFixed(1)} x`,
  );
  await server.stop();
}

async function missCost() {
  const { folder: modelFolder, compiled } = await compiledModel(MODEL, 'float32');
  const tokenizer = await openTokenizer(modelFolder, compiled);
  const { threads } = machine;
  const lane = startLane({ compiled, threads, laneMain: LANE_MAIN, logger });
  await lane.whenReady();
  const limits = { maxBatchTokens: 4096, maxBatchItems: 32, maxQueuedTokens: 1e6, maxQueuedItems: 1e5 };
  const cores = new CoreTurns(threads);
  const bare = createScheduler({ ...limits, lanes: [lane], model: compiled, name: MODEL, threads, cores });
  const instant = {
    ...bare,
    submit: async (/** @type {readonly unknown[]} */ all) => all.map(() => [new Float32Array(384)]),
  };

  for (const { name, stores } of kindsOfStores()) {
    // Connected, and its code warm.
    for (let call = 0; call < 20; call += 1) {
      await Promise.all(stores.map((store) => store.getMany(WARM_KEYS)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const store = layeredStore(stores);
    const cached = cachedScheduler(bare, { store, model: compiled });
    const overheadOnly = cachedScheduler(instant, { store, model: { ...compiled, contentKey: 'another' } });
    const kinds = {
      bare: { scheduler: bare, times: newTimes() },
      cached: { scheduler: cached, times: newTimes() },
      // The same as the first once more: what the noise of the machine alone makes of it.
      control: { scheduler: bare, times: newTimes() },
    };
    const overheads = newTimes();
    for (let round = 0; round < MISS_ROUNDS; round += 1) {
      const items = await tokenizer.encode(textsOf(`${name} ${round}`));
      const time = async (/** @type {Pick<typeof bare, 'submit'>} */ scheduler) => {
        const from = performance.now();
        await scheduler.submit(items);
        return performance.now() - from;
      };
      // Each is first, second and third equally often.
      const order = Object.values(kinds);
      for (let turn = 0; turn < order.length; turn += 1) {
        const kind = order[(turn + round) % order.length];
        kind?.times.push(await time(kind.scheduler));
      }
      overheads.push(await time(overheadOnly));
    }
    const typical = median(kinds.bare.times);
    const more = (/** @type {number[]} */ times) => (100 * (median(times) / typical - 1)).toFixed(1);
    const overhead = median(overheads);
    console.log(
      `a miss of ${TEXTS} texts, ${name}: ${more(kinds.cached.times)} % more time than without, where the same without it once more takes ${more(kinds.control.times)} % more (medians of ${MISS_ROUNDS}); keys, lookup and handing over alone ${overhead.toFixed(2)} ms, ${((100 * overhead) / typical).toFixed(2)} % of ${typical.toFixed(0)} ms`,
    );
    await store.close();
  }
  await lane.close();
}

function kindsOfStores() {
  const guard = (/** @type {import('../dist/contracts/vector-store.js').VectorStore} */ store) =>
    guardStore(store, { logger });
  const disk = createDiskStore({ folder: path.join(folder, 'vectors'), limitBytes: 2 ** 28, logger });
  const kinds = [
    { name: 'memory', stores: [createMemoryStore(2 ** 28)] },
    { name: 'memory and disk', stores: [createMemoryStore(2 ** 28), guard(disk)] },
  ];
  if (redisUrl !== undefined) {
    kinds.push({ name: 'Redis', stores: [guard(createRedisStore({ url: new URL(redisUrl), logger }))] });
  }
  return kinds;
}

async function memoryBound() {
  const limit = 2 ** 27;
  global.gc?.();
  const before = process.memoryUsage().rss;
  const store = createMemoryStore(limit);
  const row = new Float32Array(384).fill(0.5);
  for (let number = 0; number < 300_000; number += 1) {
    await store.setMany([{ key: String(number).padStart(43, 'k'), row }]);
  }
  global.gc?.();
  const { entries, bytes = 0, evictions } = await store.stats();
  const grown = process.memoryUsage().rss - before;
  console.log(
    `memory with a bound of ${(limit / 1e6).toFixed(0)} MB: ${entries} vectors of 384 counted as ${(bytes / 1e6).toFixed(0)} MB, process grown by ${(grown / 1e6).toFixed(0)} MB, ${evictions} evicted`,
  );
}

try {
  await memoryBound();
  await missCost();
  await throughput();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
