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
import { createScheduler } from '../dist/scheduling/create-scheduler.js';
import { openTokenizer } from '../dist/tokenization/open-tokenizer.js';
import { compiledModel, LANE_MAIN, logger, machine } from './compiled-model.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server-process.mjs';

const MODEL = 'BAAI/bge-small-en-v1.5';
const ROUNDS = 12;
const TEXTS = 16;
/** About 120 tokens. */
const text = (name) => `${name} ${'cats and dogs sleep in the warm sun all day '.repeat(12)}`;
const textsOf = (name) => Array.from({ length: TEXTS }, (_, index) => text(`${name} ${index}`));
const WARM_KEYS = ['A'.repeat(43)];
const median = (samples) => percentile(samples, 0.5);

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
  const ask = async (input, cache) => {
    const from = performance.now();
    const reply = await fetch(`${server.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input, cache, encoding_format: 'base64' }),
    });
    const { usage } = await reply.json();
    return { ms: performance.now() - from, tokens: usage.total_tokens };
  };
  const input = text('the same');
  const { tokens } = await ask(input, true);
  await ask(input, true);
  const known = [];
  const computed = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let number = 0; number < 20; number += 1) known.push((await ask(input, true)).ms);
    for (let number = 0; number < 5; number += 1) computed.push((await ask(input, false)).ms);
  }
  const rate = (samples) => (1000 / median(samples)).toFixed(0);
  console.log(
    `one text of ${tokens} tokens by HTTP, one client: ${rate(computed)} requests/s computed, ${rate(known)} known: ${(median(computed) / median(known)).toFixed(1)} x`,
  );
  await server.stop();
}

async function missCost() {
  const { folder: modelFolder, compiled } = await compiledModel(MODEL);
  const tokenizer = await openTokenizer(modelFolder, compiled);
  const lane = startLane({ compiled, threads: machine.threads, laneMain: LANE_MAIN, logger });
  await lane.whenReady();
  const bare = createScheduler({ lanes: [lane], model: compiled, maxBatchTokens: 4096, maxBatchItems: 32 });
  const guard = (store) => guardStore(store, { logger });
  const disk = () => guard(createDiskStore({ folder: path.join(folder, 'vectors'), limitBytes: 2 ** 28, logger }));
  const kinds = [
    ['memory', [createMemoryStore(2 ** 28)]],
    ['memory and disk', [createMemoryStore(2 ** 28), disk()]],
  ];
  if (redisUrl !== undefined) kinds.push(['Redis', [guard(createRedisStore({ url: new URL(redisUrl), logger }))]]);
  for (const [name, stores] of kinds) {
    // Connected, and its code warm.
    for (let call = 0; call < 20; call += 1) {
      await Promise.all(stores.map((store) => store.getMany(WARM_KEYS)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    let lookupMs = 0;
    const timed = (store) => ({
      ...store,
      async getMany(keys) {
        const from = performance.now();
        const rows = await store.getMany(keys);
        lookupMs += performance.now() - from;
        return rows;
      },
    });
    const store = layeredStore(stores);
    const cached = cachedScheduler(bare, { store: timed(store), model: compiled });
    const times = { bare: [], cached: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const items = await tokenizer.encode(textsOf(`${name} ${round}`));
      const time = async (scheduler) => {
        const from = performance.now();
        await scheduler.submit(items);
        return performance.now() - from;
      };
      // The order alternates, so that what warms up helps both.
      if (round % 2 === 0) {
        const without = await time(bare);
        times.cached.push(await time(cached));
        times.bare.push(without);
      } else {
        times.cached.push(await time(cached));
        times.bare.push(await time(bare));
      }
    }
    const perRound = lookupMs / ROUNDS;
    const least = Math.min(...times.bare);
    const more = 100 * (Math.min(...times.cached) / least - 1);
    console.log(
      `a miss of ${TEXTS} texts through ${name}: ${more.toFixed(1)} % more time than without (best of ${ROUNDS}); the lookup itself ${perRound.toFixed(2)} ms, ${((100 * perRound) / least).toFixed(2)} %`,
    );
    await store.close();
  }
  const items = await tokenizer.encode(textsOf('cost'));
  const times = [];
  const store = createMemoryStore(2 ** 28);
  const instant = {
    ...bare,
    submit: async (all) => all.map(() => [new Float32Array(384)]),
    load: bare.load,
    drain: bare.drain,
  };
  for (let number = 0; number < 200; number += 1) {
    const other = cachedScheduler(instant, { store, model: { ...compiled, contentKey: String(number) } });
    const from = performance.now();
    await other.submit(items);
    times.push(performance.now() - from);
  }
  const from = performance.now();
  await bare.submit(items);
  const computedMs = performance.now() - from;
  console.log(
    `keys, lookup and storing of ${TEXTS} texts in memory, all together: ${median(times).toFixed(3)} ms, ${((100 * median(times)) / computedMs).toFixed(2)} % of the ${computedMs.toFixed(0)} ms that computing them takes`,
  );
  await lane.close();
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
  const { entries, bytes, evictions } = await store.stats();
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
