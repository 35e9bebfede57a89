// Our graph of bge-small against a ready-made ONNX file of the same model, in the same runtime with the same settings:
// whether the vectors agree, and tokens/s as ratios. The file's last hidden state is cut to the first token and normalised.
// node bench/ready-made.mjs FILE.onnx [rounds]
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionSettings } from '../dist/runtime/session-settings.js';
import { compiledModel, machine } from './compiled-model.mjs';
import { percentile } from './percentile.mjs';

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

const { compiled } = await compiledModel('BAAI/bge-small-en-v1.5');
const settings = sessionSettings({ threads: machine.threads });
const ours = await InferenceSession.create(compiled.graphPath, settings);
const theirs = await InferenceSession.create(filePath, settings);

function feedsOf([batch, sequence]) {
  const size = batch * sequence;
  const ids = Array.from({ length: size }, (_, index) => 1000 + ((index * 7919) % 20_000));
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

function firstNormalised({ data, dims: [batch, sequence, width] }) {
  return Array.from({ length: batch }, (_, row) => {
    const vector = data.slice(row * sequence * width, row * sequence * width + width);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

async function timed(session, feeds, runs) {
  const from = performance.now();
  for (let run = 0; run < runs; run += 1) await session.run(feeds);
  return (performance.now() - from) / 1000;
}

for (const shape of SHAPES) {
  const feeds = feedsOf(shape);
  const { embedding } = await ours.run(feeds.ours);
  const expected = firstNormalised((await theirs.run(feeds.theirs)).last_hidden_state);
  const width = expected[0].length;
  let worst = 0;
  for (const [row, vector] of expected.entries()) {
    for (const [column, value] of vector.entries()) {
      worst = Math.max(worst, Math.abs(value - embedding.data[row * width + column]));
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
    `${shape.join(' x ').padEnd(8)} ours ${percentile(speeds, 0.5).toFixed(0).padStart(5)} tokens/s, ` +
      `${percentile(ratios, 0.5).toFixed(2)} x the file   largest difference ${worst.toExponential(1)}`,
  );
}
await ours.release();
await theirs.release();
