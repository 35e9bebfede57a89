// node bench/graphs/operators.mjs [batch x sequence, 8x120] [threads]
// Where the time of a run of the bundled embedder goes, operator by operator, in float32 and in int8, by ONNX Runtime's own
// profile: what 8 bits make faster, what they leave as it is, and the most that they could gain.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionSettings } from '../../dist/runtime/session-settings.js';
import { compiledModel, machine } from '../limit/compiled-model.mjs';

const [batch = 8, sequence = 120] = (process.argv[2] ?? '8x120').split('x').map(Number);
const threads = Number(process.argv[3] ?? machine.threads);
const RUNS = 30;
/** The products of a layer, which int8 computes with integers. Its graph has all other operators of float32, too. */
const PRODUCT = 'MatMul';
const LEAST_SHOWN_MS = 0.5;

const work = mkdtempSync(path.join(tmpdir(), 'operators-'));
const dims = [batch, sequence];
const feeds = {
  input_ids: new Tensor(
    'int32',
    Int32Array.from({ length: batch * sequence }, (_, at) => 1000 + at * 7),
    dims,
  ),
  token_type_ids: new Tensor('int32', new Int32Array(batch * sequence), dims),
};

/**
 * @param {string} dtype
 * @returns median milliseconds a run by operator, the slowest first
 */
async function profile(dtype) {
  const { compiled } = await compiledModel('BAAI/bge-small-en-v1.5', dtype);
  const session = await InferenceSession.create(compiled.graphPath, {
    ...sessionSettings({ threads }),
    enableProfiling: true,
    profileFilePrefix: path.join(work, dtype),
  });
  for (let run = 0; run < RUNS; run += 1) await session.run(feeds);
  session.endProfiling();
  await session.release();
  const file = readdirSync(work).find((name) => name.startsWith(dtype));
  if (file === undefined) throw new Error(`${dtype}: expected a profile in ${work}`);
  return fastestOf(JSON.parse(readFileSync(path.join(work, file), 'utf8')));
}

/**
 * Each node by its fastest run, which others on the machine disturb least.
 *
 * @param {readonly { cat: string, name: string, dur: number, args?: { op_name?: string, node_index?: string } }[]} events `dur` in µs
 */
function fastestOf(events) {
  /** @type {Map<string, { operator: string, ms: number }>} */
  const nodes = new Map();
  for (const { cat, name, dur, args } of events) {
    if (cat !== 'Node' || args?.op_name === undefined || !name.endsWith('_kernel_time')) continue;
    const node = nodes.get(name);
    nodes.set(name, { operator: args.op_name, ms: Math.min(node?.ms ?? Number.POSITIVE_INFINITY, dur / 1000) });
  }
  /** @type {Map<string, number>} */
  const operators = new Map();
  for (const { operator, ms } of nodes.values()) operators.set(operator, (operators.get(operator) ?? 0) + ms);
  return new Map([...operators].toSorted(([, one], [, other]) => other - one));
}

/** @param {Iterable<number>} values */
const sumOf = (values) => [...values].reduce((sum, value) => sum + value, 0);

const float32 = await profile('float32');
const int8 = await profile('int8');
rmSync(work, { recursive: true });

console.log(`${batch} x ${sequence} tokens, ${threads} threads, ms of the fastest of ${RUNS} runs, node by node`);
for (const operator of new Set([...float32.keys(), ...int8.keys()])) {
  const [before = 0, after = 0] = [float32.get(operator), int8.get(operator)];
  if (Math.max(before, after) < LEAST_SHOWN_MS) continue;
  console.log(`${operator.padEnd(24)} float32 ${before.toFixed(1).padStart(6)}   int8 ${after.toFixed(1).padStart(6)}`);
}
const [before, after] = [sumOf(float32.values()), sumOf(int8.values())];
const rest = before - (float32.get(PRODUCT) ?? 0);
console.log(`all operators: float32 ${before.toFixed(1)}, int8 ${after.toFixed(1)}: ${(before / after).toFixed(2)} x`);
console.log(`with products that cost nothing, the rest as in float32: ${(before / rest).toFixed(2)} x at most`);
const integer = int8.get('MatMulIntegerToFloat') ?? 0;
console.log(`with the integer products alone beside that rest: ${(before / (rest + integer)).toFixed(2)} x at most`);
