// @ts-nocheck: plain data, rewritten by hand; whether a form is right is seen in its outputs
// Forms of the float32 graph against the one that the compiler writes: tokens/s as ratios, and whether the outputs agree.
// Rounds alternate between the forms; each cell is the median over the rounds of (form / ours) in the same round.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { bert } from '../../dist/compiler/architectures/bert.js';
import { buildGraph, planModel } from '../../dist/compiler/build-graph.js';
import { writeGraph } from '../../dist/compiler/graph/write-graph.js';
import { openCheckpoint } from '../../dist/formats/open-checkpoint.js';
import { sessionSettings } from '../../dist/runtime/session-settings.js';
import { machine, resolveOffline } from '../limit/compiled-model.mjs';
import { median } from '../measure/percentile.mjs';
import {
  attentionOperator,
  attentionSpelledOut,
  biasInAttention,
  checkpointOrder,
  gemm,
  oneProjection,
  skipLayerNorm,
} from './graph-forms.mjs';

const SHAPES = [
  [1, 16],
  [8, 32],
  [8, 128],
  [1, 512],
  [8, 512],
];
const ROUNDS = Number(process.argv[2] ?? 9);
/** Work of one sample, so that a sample of every shape takes about as long. */
const TOKENS_A_SAMPLE = 1024;

const { folder } = await resolveOffline('BAAI/bge-small-en-v1.5');
const checkpoint = await openCheckpoint(folder);
const plan = planModel(folder, bert.configure(folder.config), checkpoint.tensors, 'auto');
const { graph } = buildGraph(plan, checkpoint);
const allTokens = buildGraph({ ...plan, head: { ...plan.head, wantedTokens: 'all' } }, checkpoint).graph;

const FORMS = [
  { name: 'ours: Add + LayerNormalization, MultiHeadAttention', graph },
  { name: 'last layer for all tokens', graph: allTokens },
  { name: 'SkipLayerNormalization', graph: skipLayerNorm(graph) },
  { name: 'biases inside MultiHeadAttention', graph: biasInAttention(graph) },
  { name: 'one projection, then Split', graph: oneProjection(graph) },
  { name: 'Attention (one projection inside)', graph: attentionOperator(graph) },
  { name: 'attention in standard operators', graph: attentionSpelledOut(graph, plan.model.hiddenSize) },
  { name: "FusedMatMul on the checkpoint's own order", graph: checkpointOrder(graph) },
  { name: 'Gemm with the bias inside, over all tokens', graph: gemm(graph) },
  { name: 'bias and GELU apart', graph, level: 'basic' },
];

const root = mkdtempSync(path.join(tmpdir(), 'float32-graph-'));
const { threads } = machine;

function inputsOf([batch, sequence]) {
  const ids = Int32Array.from({ length: batch * sequence }, (_, index) => 1000 + ((index * 7919) % 20_000));
  const types = new Int32Array(ids.length);
  return {
    input_ids: new Tensor('int32', ids, [batch, sequence]),
    token_type_ids: new Tensor('int32', types, [batch, sequence]),
  };
}

try {
  for (const [index, form] of FORMS.entries()) {
    const at = path.join(root, String(index));
    mkdirSync(at);
    const graphPath = await writeGraph(form.graph, 'bert', at);
    const settings = { ...sessionSettings({ threads }), graphOptimizationLevel: form.level ?? 'all' };
    form.session = await InferenceSession.create(graphPath, settings);
    form.ratios = SHAPES.map(() => []);
    form.difference = 0;
  }
  const [ours] = FORMS;
  const speeds = SHAPES.map(() => []);
  for (const shape of SHAPES) {
    const feeds = inputsOf(shape);
    const { embedding: expected } = await ours.session.run(feeds);
    for (const form of FORMS) {
      const { embedding } = await form.session.run(feeds);
      const differences = embedding.data.map((value, at) => Math.abs(value - expected.data[at]));
      form.difference = differences.reduce((most, each) => Math.max(most, each), form.difference);
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [column, shape] of SHAPES.entries()) {
      const feeds = inputsOf(shape);
      const runs = Math.ceil(TOKENS_A_SAMPLE / (shape[0] * shape[1]));
      const seconds = new Map();
      const shift = round % FORMS.length;
      for (const form of [...FORMS.slice(shift), ...FORMS.slice(0, shift)]) {
        const from = performance.now();
        for (let run = 0; run < runs; run += 1) await form.session.run(feeds);
        seconds.set(form, (performance.now() - from) / 1000);
      }
      speeds[column].push((runs * shape[0] * shape[1]) / seconds.get(ours));
      for (const form of FORMS) form.ratios[column].push(seconds.get(ours) / seconds.get(form));
    }
  }
  const titles = SHAPES.map(([batch, sequence]) => `${batch} x ${sequence}`);
  console.log(`| form | ${titles.join(' | ')} | differs by |`);
  console.log(`| --- | ${titles.map(() => '---').join(' | ')} | --- |`);
  for (const { name, ratios, difference } of FORMS) {
    const cells = ratios.map((values) => median(values).toFixed(2));
    console.log(`| ${name} | ${cells.join(' | ')} | ${difference.toExponential(1)} |`);
  }
  console.log(`\n1 is ${speeds.map((each) => median(each).toFixed(0)).join(', ')} tokens/s (${threads} threads)`);
} finally {
  for (const { session } of FORMS) await session?.release();
  await checkpoint.close();
  rmSync(root, { recursive: true, force: true });
}
