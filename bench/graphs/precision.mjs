// node bench/graphs/precision.mjs [model id or folder]
// What each 8-bit variant costs in accuracy and gains in speed, on the bundled embedder: cosines against float32 over sentences
// that calibration does not hold, and tokens/s as a ratio of float32, the graphs taking turns. Variants that this CPU would
// compute wrongly are not timed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { calibrate } from '../../dist/app/compile-job/calibrate.js';
import { writeTrial } from '../../dist/app/compile-job/graph-on-disk.js';
import { openModel } from '../../dist/compiler/open-model.js';
import { int7ByRow } from '../../dist/compiler/quantization/int7-by-row.js';
import { int8Blocks } from '../../dist/compiler/quantization/int8-blocks.js';
import { int8ByRow } from '../../dist/compiler/quantization/int8-by-row.js';
import { linearProducts } from '../../dist/compiler/quantization/linear-products.js';
import { variantsFor } from '../../dist/compiler/quantization/registry.js';
import { describeMachine } from '../../dist/runtime/machine.js';
import { openSession } from '../../dist/runtime/open-session.js';
import { packRun } from '../../dist/scheduling/pack-run.js';
import { createTokenizer } from '../../dist/tokenization/create-tokenizer.js';
import { measureQuality } from '../../dist/tuning/measure-quality.js';
import { readOutputs } from '../../dist/tuning/read-outputs.js';
import { resolveOffline } from '../limit/compiled-model.mjs';

/** @typedef {import('../../dist/contracts/inference-session.js').InferenceSession} InferenceSession */
/** @typedef {import('../../dist/contracts/tokenizer.js').Encoding} Encoding */

const MODEL = process.argv[2] ?? 'BAAI/bge-small-en-v1.5';
/** Sequences x tokens of a run. */
/** @type {readonly (readonly [number, number])[]} */
const SHAPES = [
  [1, 16],
  [8, 32],
  [8, 128],
  [1, 512],
];
const ROUNDS = 9;

const SUBJECTS = [
  'A man',
  'The old woman',
  'Two children',
  'A black dog',
  'The scientist',
  'My neighbour',
  'A company',
  'The government',
  'An orange cat',
  'The football team',
  'Several students',
  'A young chef',
  'The train driver',
  'Our teacher',
  'Some tourists',
];
const PREDICATES = [
  'ate an apple in the park.',
  'announced a new plan on Monday.',
  'played the guitar badly.',
  'was seen near the river last night',
  'has invented a cheaper battery!',
  'ran faster than expected',
  'bought 3 tickets for $42.50',
  'will travel to Japan in 2027.',
  'could not find the keys to the house',
  'wrote a letter about climate change.',
  'thought that the movie was too long',
  'sold the old car to a friend.',
  'slept on a red sofa',
  'asked for a second opinion?',
  'lost the game by two goals',
  'opened the window and shouted.',
  'read the newspaper every morning',
  'forgot to pay the electricity bill',
  'sliced tomatoes and onions',
  'repaired computers for a living',
];
const SENTENCES = SUBJECTS.flatMap((subject) => PREDICATES.map((predicate) => `${subject} ${predicate}`));
const ODD = [
  '',
  'x',
  '7',
  'dog '.repeat(700),
  'const a = [1,2,3].map((x) => x + 1);',
  'Tôi thích ăn phở vào buổi sáng.',
  '東京は日本の首都です。',
  '저는 한국어를 공부하고 있습니다.',
  'Der schnelle braune Fuchs springt über den faulen Hund.',
  'مرحبا بالعالم',
  'def main():\n    print("hi")\n',
  '3.14159 2.71828 1.41421',
  '<div class="x">hello</div>',
  'The cell is full of small machines. '.repeat(50),
  '😀😀😀',
  '-',
  'UPPER CASE SHOUTING TEXT',
  'e = mc^2',
  'to be or not to be',
  '{"a": [1, 2, {"b": null}]}',
  'один два три четыре пять',
  '日本語 '.repeat(100),
];

const machine = describeMachine();
const { folder } = await resolveOffline(MODEL);
const model = await openModel(folder, 'auto');
const tokenizer = await createTokenizer(folder, model.description);
const { inputs, outputs } = model.description;
const products = linearProducts(model.graph);
const work = mkdtempSync(path.join(tmpdir(), 'precision-'));
const options = { outputFolder: work, modelName: 'bench', inputs, threads: machine.threads };

/** @type {Record<string, readonly string[]>} */
const sets = { sentences: SENTENCES, odd: ODD };
const reference = new URL('../../test/golden/real/bge-small-en-v1.5.json', import.meta.url);
if (existsSync(reference)) {
  /** @type {{ cases: { text: string }[] }} */
  const { cases } = JSON.parse(readFileSync(reference, 'utf8'));
  sets.reference = cases.map(({ text }) => text);
}

/** @param {readonly [number, number]} shape */
function shapedInputs([batch, sequence]) {
  const items = Array.from({ length: batch }, (_, item) => ({
    ids: Int32Array.from({ length: sequence }, (_, at) => 1000 + ((item * 7919 + at * 104_729) % 20_000)),
    typeIds: new Int32Array(sequence),
  }));
  return packRun(items, inputs);
}

/**
 * Best time of each session for one shape, the sessions taking turns.
 *
 * @param {readonly InferenceSession[]} sessions
 * @param {readonly [number, number]} shape
 */
async function timeShape(sessions, shape) {
  const tensors = shapedInputs(shape);
  const repeats = Math.max(1, Math.round(1024 / (shape[0] * shape[1])));
  const best = sessions.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, session] of sessions.entries()) {
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        const from = performance.now();
        await session.run(tensors);
        if (round > 0) best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, performance.now() - from);
      }
    }
  }
  return best;
}

/**
 * Cosine of the same text alone and among 63 others of its length.
 *
 * @param {InferenceSession} session
 * @param {readonly Encoding[]} encodings
 */
async function amongOthers(session, encodings) {
  const [first] = encodings;
  if (first === undefined) throw new Error('there must be sentences');
  const others = encodings.filter(({ ids }) => ids.length === first.ids.length);
  const items = Array.from({ length: 64 }, (_, index) => others[index % others.length] ?? first);
  const [width = 0] = outputs.map((output) => output.width);
  /** @param {readonly Encoding[]} run */
  const firstRow = async (run) => {
    const data = (await session.run(packRun(run, inputs)))[0]?.data;
    return Float32Array.from(data ?? []).slice(0, width);
  };
  const rows = [await firstRow([first]), await firstRow(items)];
  return measureQuality(model.description, [rows.slice(0, 1)], [rows.slice(1)]).leastCosine ?? Number.NaN;
}

const calibration = await calibrate(model, tokenizer, options);
const right = new Set(variantsFor(machine));

/**
 * @param {import('../../dist/compiler/graph/graph.js').Graph} graph
 * @param {string} name
 */
async function open(graph, name) {
  await writeTrial(graph, name, options);
  return openSession(path.join(work, name, 'graph.onnx'), { threads: machine.threads });
}

const graphs = [{ name: 'float32', session: await open(model.graph, 'float32'), isRight: true }];
for (const variant of [int8ByRow, int7ByRow, int8Blocks]) {
  const graph = variant.quantize(model.graph, products, calibration.ranges);
  graphs.push({ name: variant.name, session: await open(graph, variant.name), isRight: right.has(variant) });
}

console.log(`${MODEL}, ${machine.threads} threads, ${machine.cpuAbilities.join(' ')}`);
console.log(`cosine to float32, least / median; speed at ${SHAPES.map((shape) => shape.join('x')).join(', ')} tokens`);
const sessions = graphs.map(({ session }) => session);
const times = [];
for (const shape of SHAPES) times.push(await timeShape(sessions, shape));

/** @type {Map<string, Awaited<ReturnType<typeof readOutputs>>>} */
const expected = new Map();
const sentences = await tokenizer.encode(SENTENCES);
for (const [index, { name, session, isRight }] of graphs.entries()) {
  const cells = [];
  for (const [set, texts] of Object.entries(sets)) {
    const actual = await readOutputs(
      (encoding) => session.run(packRun([encoding], inputs)),
      await tokenizer.encode(texts),
      outputs,
    );
    const float32 = expected.get(set) ?? actual;
    expected.set(set, float32);
    const { leastCosine = 1, medianCosine = 1 } = measureQuality(model.description, float32, actual);
    cells.push(`${set} ${leastCosine.toFixed(4)} / ${medianCosine.toFixed(5)}`);
  }
  const ratios = times.map((best) => (best[0] ?? Number.NaN) / (best[index] ?? Number.NaN));
  const mean = ratios.reduce((product, ratio) => product * ratio, 1) ** (1 / ratios.length);
  const shown = `${ratios.map((ratio) => ratio.toFixed(2)).join(' ')} (geometric mean ${mean.toFixed(2)})`;
  const beside = (await amongOthers(session, sentences)).toFixed(6);
  console.log(
    `${name.padEnd(12)} ${cells.join('   ')}   x ${isRight ? shown : 'not measured'}   among 63 others ${beside}`,
  );
}
for (const session of sessions) await session.dispose();
await model.close();
rmSync(work, { recursive: true });
