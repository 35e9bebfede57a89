// Our graph of bge-small against a ready-made ONNX file of the same model, in the same runtime with the same settings:
// whether the vectors agree, and tokens/s as ratios. The file's last hidden state is cut to the first token and normalised.
// node bench/graphs/ready-made.mjs FILE.onnx [rounds]
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionSettings } from '../../dist/runtime/session-settings.js';
import { compiledModel, machine } from '../limit/compiled-model.mjs';
import { median } from '../measure/percentile.mjs';

/** @type {readonly (readonly [batch: number, sequence: number])[]} */
const SHAPES = [
  [1, 8],
  [1, 16],
  [8, 32],
  [8, 128],
  [1, 512],
];
const TOKENS_A_SAMPLE = 1024;
const filePath = process.argv[2];
const ROUNDS = Number(process.argv[3] ?? 15);
if (filePath === undefined) throw new Error('expected the path of an ONNX file with last_hidden_state');

const { compiled } = await compiledModel('BAAI/bge-small-en-v1.5', 'float32');
const settings = sessionSettings({ threads: machine.threads });
const ours = await InferenceSession.create(compiled.graphPath, settings);
const theirs = await InferenceSession.create(filePath, settings);

/** @param {readonly [number, number]} shape */
function feedsOf([batch, sequence]) {
  const size = batch * sequence;
  const ids = Array.from({ length: size }, (_, index) => 1000 + ((index * 7919) % 20_000));
  /** @param {readonly number[]} values */
  const int64 = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [batch, sequence]);
  const zeros = new Array(size).fill(0);
  return {
    ours: {
      input_ids: new Tensor('int32', Int32Array.from(ids), [batch, sequence]),
      token_type_ids: new Tensor('int32', new Int32Array(size), [batch, sequence]),
    },
    theirs: { input_ids: int64(ids), attention_mask: int64(new Array(size).fill(1)), token_type_ids: int64(zeros) },
  };
}

/** @param {import('onnxruntime-node').Tensor | undefined} tensor */
function floatsOf(tensor) {
  if (tensor?.data instanceof Float32Array) return { values: tensor.data, dims: tensor.dims };
  throw new Error('expected an output of float32');
}

/**
 * @param {import('onnxruntime-node').Tensor | undefined} tensor `[batch, sequence, width]`
 * @returns the first token's vector of each item
 */
function firstNormalised(tensor) {
  const { values, dims } = floatsOf(tensor);
  const [batch = 0, sequence = 0, width = 0] = dims;
  return Array.from({ length: batch }, (_, row) => {
    const vector = values.slice(row * sequence * width, row * sequence * width + width);
    const length = Math.hypot(...vector);
    return [...vector].map((value) => value / length);
  });
}

/**
 * @param {InferenceSession} session
 * @param {Record<string, Tensor>} feeds
 * @param {number} runs
 * @returns seconds
 */
async function timed(session, feeds, runs) {
  const from = performance.now();
  for (let run = 0; run < runs; run += 1) await session.run(feeds);
  return (performance.now() - from) / 1000;
}

for (const shape of SHAPES) {
  const feeds = feedsOf(shape);
  const { values } = floatsOf((await ours.run(feeds.ours)).embedding);
  const expected = firstNormalised((await theirs.run(feeds.theirs)).last_hidden_state);
  const width = expected[0]?.length ?? 0;
  let worst = 0;
  for (const [row, vector] of expected.entries()) {
    for (const [column, value] of vector.entries()) {
      worst = Math.max(worst, Math.abs(value - (values[row * width + column] ?? Number.NaN)));
    }
  }
  const runs = Math.ceil(TOKENS_A_SAMPLE / (shape[0] * shape[1]));
  const ratios = [];
  const speeds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Whoever goes first meets the colder cache.
    const first = round % 2 === 0;
    const a = first ? await timed(ours, feeds.ours, runs) : 0;
    const b = await timed(theirs, feeds.theirs, runs);
    const mine = first ? a : await timed(ours, feeds.ours, runs);
    ratios.push(b / mine);
    speeds.push((runs * shape[0] * shape[1]) / mine);
  }
  console.log(
    `${shape.join(' x ').padEnd(8)} ours ${median(speeds).toFixed(0).padStart(5)} tokens/s, ` +
      `${median(ratios).toFixed(2)} x the file   largest difference ${worst.toExponential(1)}`,
  );
}
await ours.release();
await theirs.release();
