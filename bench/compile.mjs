// What one model costs to compile and to open, in each precision: time, disk, and the memory of the processes (Linux).
// node bench/compile.mjs [model id or folder]
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveModel } from '../dist/hub/resolve-model.js';
import { createCompileJob } from '../dist/lanes/run-compile-job.js';
import { startInferenceProcess } from '../dist/lanes/start-inference-process.js';
import { startLane } from '../dist/lanes/start-lane.js';
import { LANE_MAIN, logger, machine } from './compiled-model.mjs';
import { percentile } from './percentile.mjs';

const MODEL = process.argv[2] ?? 'BAAI/bge-small-en-v1.5';
const PRECISIONS = ['float32', 'float16', 'bfloat16'];
const ROUNDS = 5;

function memoryMb(pid, field) {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The highest of a process that ends by itself, looked at every 5 ms. */
function watched(samples) {
  return (options) => {
    const child = startInferenceProcess(options);
    const timer = setInterval(() => samples.push(memoryMb(child.pid, 'VmHWM')), 5);
    timer.unref();
    return child;
  };
}

const best = (values) => Math.min(...values);
const { folder } = await resolveModel(MODEL);
const tokens = 16;
console.log(`${MODEL}, ${machine.threads} threads, ${ROUNDS} rounds: best (median)`);
for (const precision of PRECISIONS) {
  const figures = { compile: [], open: [], compilePeak: [], openPeak: [], steady: [], disk: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const outputFolder = mkdtempSync(path.join(tmpdir(), 'bench-compile-'));
    try {
      const samples = [];
      const compile = createCompileJob({ laneMain: LANE_MAIN, logger, startProcess: watched(samples) });
      const request = { modelId: folder.id, modelPath: folder.path, precision, outputFolder, contentKey: 'bench' };
      let from = performance.now();
      const compiled = await compile(request);
      figures.compile.push(performance.now() - from);
      figures.compilePeak.push(Math.max(...samples));
      const sizes = readdirSync(outputFolder).map((name) => statSync(path.join(outputFolder, name)).size);
      figures.disk.push(sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20);

      from = performance.now();
      const lane = startLane({ compiled, threads: machine.threads, laneMain: LANE_MAIN, logger });
      await lane.whenReady();
      figures.open.push(performance.now() - from);
      const inputs = compiled.inputs.map(({ name, role }) => {
        return { name, dims: [1, tokens], data: new Int32Array(tokens).fill(role === 'input_ids' ? 7 : 0) };
      });
      await lane.run(inputs);
      figures.openPeak.push(memoryMb(lane.pid, 'VmHWM'));
      figures.steady.push(memoryMb(lane.pid, 'VmRSS'));
      await lane.close();
    } finally {
      rmSync(outputFolder, { recursive: true, force: true });
    }
  }
  const shown = (name, digits = 0) =>
    `${best(figures[name]).toFixed(digits)} (${percentile(figures[name], 0.5).toFixed(digits)})`;
  const ratio = Math.max(...figures.openPeak.map((peak, index) => peak / figures.steady[index]));
  console.log(
    `${precision.padEnd(8)} compile ${shown('compile')} ms, peak ${shown('compilePeak')} MB   on disk ${shown('disk')} MB   ` +
      `process start to open ${shown('open')} ms   lane ${shown('steady')} MB, peak ${ratio.toFixed(2)} x that`,
  );
}
