// One short request on an idle server: what HTTP and the process boundary add to the bare run of the same ids.
import { startLane } from '../dist/lanes/start-lane.js';
import { openSession } from '../dist/runtime/open-session.js';
import { packRun } from '../dist/scheduling/pack-run.js';
import { openTokenizer } from '../dist/tokenization/open-tokenizer.js';
import { closeConnections } from './drive/post-json.mjs';
import { compiledModel, LANE_MAIN, logger, machine } from './limit/compiled-model.mjs';
import { percentile } from './measure/percentile.mjs';
import { checkReply, clientOf } from './servers/client-of.mjs';
import { startServer } from './servers/own-server.mjs';

const MODEL = 'BAAI/bge-small-en-v1.5';
const TEXT = 'A man is eating food.';
/** Rounds alternate between the three, so that a slow spell of the machine meets all of them. */
const ROUNDS = 8;
const CALLS_A_ROUND = 50;

const { folder, compiled } = await compiledModel(MODEL, 'float32');
const tokenizer = await openTokenizer(folder, compiled);
const encodings = await tokenizer.encode([TEXT]);
const inputs = packRun(encodings, compiled.inputs);

const server = await startServer({}, ['--model-id', MODEL]);
const lane = startLane({ compiled, threads: machine.threads, laneMain: LANE_MAIN, logger });
await lane.whenReady();
const session = await openSession(compiled.graphPath, { threads: machine.threads });

/** @type {import('./load/workload.mjs').Request} */
const request = { task: 'embed', query: undefined, texts: [TEXT], tokens: 0 };
const models = { embed: MODEL, rerank: '' };
const call = clientOf({ url: server.url, apiKey: undefined, models }, 'float').prepare(request);

async function overHttp() {
  checkReply(request, await call());
}

/** @type {{ name: string, call: () => Promise<unknown>, samples: number[] }[]} */
const kinds = [
  { name: 'bare ONNX Runtime run', call: () => session.run(inputs), samples: [] },
  { name: 'lane call', call: () => lane.run(inputs), samples: [] },
  { name: 'HTTP request', call: overHttp, samples: [] },
];

for (let round = 0; round < ROUNDS; round += 1) {
  for (const { call, samples } of kinds) {
    for (let number = -5; number < CALLS_A_ROUND; number += 1) {
      const from = performance.now();
      await call();
      // The first calls after a change of kind meet cold caches.
      if (number >= 0) samples.push(performance.now() - from);
    }
  }
}

const bare = percentile(kinds[0]?.samples ?? [], 0.5);
console.log(`${encodings[0]?.ids.length} tokens, ${machine.threads} threads, ${ROUNDS * CALLS_A_ROUND} calls each`);
for (const { name, samples } of kinds) {
  const p50 = percentile(samples, 0.5);
  const ratio = (p50 / bare).toFixed(2);
  console.log(
    `${name.padEnd(22)} p50 ${p50.toFixed(2)} ms   p95 ${percentile(samples, 0.95).toFixed(2)} ms   ${ratio} x the bare run   ${(p50 - bare).toFixed(2)} ms over it`,
  );
}

closeConnections();
await session.dispose();
await lane.close();
await server.stop();
