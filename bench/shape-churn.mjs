// Runs of every length from 1 to 512 with 1 to 32 items, in a mixed order: the memory of the inference process must stay on
// a plateau.
import { readFileSync } from 'node:fs';
import { startLane } from '../dist/lanes/start-lane.js';
import { compiledModel, LANE_MAIN, logger, machine } from './limit/compiled-model.mjs';
import { seededRandom } from './load/seeded-random.mjs';

/** As many as the default budget of a run takes: about 440 tokens, at least one item. */
const RUN_TOKENS = 440;
const PASSES = 3;
const SHAPES_A_PASS = Number(process.argv[2] ?? 512);

const { compiled } = await compiledModel('BAAI/bge-small-en-v1.5', 'float32');
const lane = startLane({ compiled, threads: machine.threads, laneMain: LANE_MAIN, logger });
await lane.whenReady();
const random = seededRandom(1);

function residentMb() {
  const text = readFileSync(`/proc/${lane.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1000;
}

console.log(`at the start: ${residentMb().toFixed(0)} MB`);
for (let pass = 1; pass <= PASSES; pass += 1) {
  for (let shape = 0; shape < SHAPES_A_PASS; shape += 1) {
    const length = 1 + Math.floor(random() * 512);
    const batch = Math.min(1 + Math.floor(random() * 32), Math.max(1, Math.floor(RUN_TOKENS / length)));
    await lane.run(
      compiled.inputs.map(({ name }) => ({ name, dims: [batch, length], data: new Int32Array(batch * length) })),
    );
  }
  console.log(`after ${pass * SHAPES_A_PASS} runs: ${residentMb().toFixed(0)} MB`);
}
await lane.close();
