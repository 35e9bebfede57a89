// npm run soak -- [--minutes 3] [--clients 64] [--chaos] [--seed 1]
// Clients of all kinds for minutes or hours: right and wrong requests, deadlines, clients that cancel or vanish. Every vector and
// score is compared with what the server answered for it alone. Ends with 1 when a reply was wrong or unexpected, a request
// outlived its deadline, the queue does not drain or memory goes on growing, which needs ten minutes to be seen. --chaos kills inference processes meanwhile. Linux.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '../load/seeded-random.mjs';
import { percentile } from '../measure/percentile.mjs';
import { processTree, treeMemoryMb } from '../measure/process-memory.mjs';
import { table } from '../report/table.mjs';
import { startServer } from '../servers/own-server.mjs';
import { ACTIONS, nextAction } from './actions.mjs';
import { openReferences } from './references.mjs';
import { closeKept, sendJson } from './send-json.mjs';
import { slope } from './slope.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    clients: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
    chaos: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const models = { embed: 'BAAI/bge-small-en-v1.5', rerank: 'cross-encoder/ms-marco-MiniLM-L-12-v2' };
/** Every request has it, and one that takes longer, with what the reply needs to come back, has outlived it. */
const DEADLINE_S = 30;
const REPLY_S = 1;
const MEMORY_EVERY_MS = 1000;
const KILL_EVERY_MS = 5000;
const DRAIN_MS = 15_000;
/** Above it memory is no plateau: a server that is restarted once a month would have grown by more than its own size. */
const MOST_SLOPE_MB_A_MINUTE = 2;
/** Shorter runs see the heap of JavaScript grow to its size and say nothing of what comes then. */
const LEAST_MINUTES = 10;
/** What a request may end with because an inference process was killed twice under it, or is being started. */
const LOST_CODES = new Set(['lane_lost', 'model_loading']);

const server = await startServer(
  {},
  [models.embed, models.rerank].flatMap((id) => ['--model-id', id]),
);
const random = seededRandom(Number(values.seed));
const references = await openReferences(server.url, models, Number(values.seed));
const world = { url: server.url, models, references, random };

/** @type {Map<string, { counts: Record<string, number>, latenciesMs: number[] }>} */
const results = new Map(ACTIONS.map(({ name }) => [name, { counts: {}, latenciesMs: [] }]));
/** @type {string[]} */
const faults = [];
/** @type {{ at: number, value: number }[]} in minutes and MB */
const memory = [];
const from = performance.now();
const until = from + minutes * 60_000;

/** @param {unknown} error */
function outcomeOf(error) {
  const { status, code } = Object(error);
  if (status === 429) return 'full';
  if (status === 504) return 'late';
  if (values.chaos && LOST_CODES.has(code)) return 'lost';
  faults.push(error instanceof Error ? error.message : String(error));
  return 'fault';
}

async function client() {
  while (performance.now() < until) {
    const action = nextAction(random);
    const result = results.get(action.name);
    const sent = performance.now();
    const headers = { 'x-request-timeout': String(DEADLINE_S) };
    const outcome = await action.run(world, headers).catch(outcomeOf);
    const tookMs = performance.now() - sent;
    if (tookMs > (DEADLINE_S + REPLY_S) * 1000)
      faults.push(`${action.name}: ${tookMs.toFixed(0)} ms, over its deadline`);
    if (result === undefined) continue;
    result.counts[outcome] = (result.counts[outcome] ?? 0) + 1;
    if (outcome === 'right') result.latenciesMs.push(tookMs);
    await new Promise((resolve) => setTimeout(resolve, random() * 50));
  }
}

function watchMemory() {
  const timer = setInterval(() => {
    try {
      memory.push({ at: (performance.now() - from) / 60_000, value: treeMemoryMb(server.pid) });
    } catch {
      // A process ended while it was looked at.
    }
  }, MEMORY_EVERY_MS);
  return () => clearInterval(timer);
}

/** @returns {() => number} ends it; how many were killed */
function killLanes() {
  let killed = 0;
  const timer = setInterval(() => {
    const lanes = processTree(server.pid).filter((pid) => {
      try {
        return pid !== server.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lane');
      } catch {
        return false;
      }
    });
    const victim = lanes[Math.floor(random() * lanes.length)];
    if (victim === undefined) return;
    process.kill(victim, 'SIGKILL');
    killed += 1;
  }, KILL_EVERY_MS);
  return () => {
    clearInterval(timer);
    return killed;
  };
}

/** Items and tokens that the server still holds, over all models. */
async function held() {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const rows = [...text.matchAll(/^infinity_(?:queued_items|queued_tokens|running_items)\{.*\} (\d+)$/gm)];
  return rows.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function drained() {
  const end = performance.now() + DRAIN_MS;
  while ((await held()) > 0) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

const stopWatching = watchMemory();
const stopKilling = values.chaos ? killLanes() : () => 0;
await Promise.all(Array.from({ length: Number(values.clients) }, client));
const killed = stopKilling();
stopWatching();

if (!(await drained()))
  faults.push(`the queue holds ${await held()} items and tokens ${DRAIN_MS} ms after the last request`);
const last = await sendJson(`${server.url}/v1/embeddings`, { model: models.embed, input: 'after it' });
if (last.status !== 200) faults.push(`the first request after it: status ${last.status}`);
const half = memory.filter(({ at }) => at >= minutes / 2);
const growth = half.length < 2 ? 0 : slope(half);
if (minutes >= LEAST_MINUTES && growth > MOST_SLOPE_MB_A_MINUTE)
  faults.push(`memory grows by ${growth.toFixed(1)} MB a minute`);

const OUTCOMES = ['right', 'refused', 'late', 'left', 'full', 'lost', 'fault'];
const rows = Array.from(results, ([name, { counts, latenciesMs }]) => [
  name,
  ...OUTCOMES.map((outcome) => String(counts[outcome] ?? 0)),
  latenciesMs.length === 0 ? '' : percentile(latenciesMs, 0.5).toFixed(0),
  latenciesMs.length === 0 ? '' : percentile(latenciesMs, 0.99).toFixed(0),
]);
console.log(`${values.clients} clients, ${minutes} minutes, ${killed} inference processes killed\n`);
console.log(table(['request', ...OUTCOMES, 'p50 ms', 'p99 ms'], rows));
const [first, end] = [half[0]?.value ?? 0, half.at(-1)?.value ?? 0];
console.log(
  `\nmemory in the second half: ${first.toFixed(0)} to ${end.toFixed(0)} MB, ${growth.toFixed(2)} MB a minute (at most ${MOST_SLOPE_MB_A_MINUTE})`,
);
for (const fault of new Set(faults)) console.log(`FAULT: ${fault}`);
console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`);
closeKept();
await server.stop();
process.exitCode = faults.length === 0 ? 0 : 1;
