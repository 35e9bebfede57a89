// What one model costs to compile and to open, in each precision: time, disk, and the memory of the processes (Linux).
// node bench/graphs/compile.mjs [model id or folder]
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCompileJob } from '../../dist/lanes/run-compile-job.js';
import { startInferenceProcess } from '../../dist/lanes/start-inference-process.js';
import { startLane } from '../../dist/lanes/start-lane.js';
import { LANE_MAIN, logger, machine, requestOf, resolveOffline } from '../limit/compiled-model.mjs';
import { median } from '../measure/percentile.mjs';

const MODEL = process.argv[2] ?? 'BAAI/bge-small-en-v1.5';
const PRECISIONS = /** @type {const} */ (['float32', 'float16', 'bfloat16', 'int8']);
const ROUNDS = 5;

/**
 * @param {number | undefined} pid
 * @param {string} field of /proc/PID/status
 */
function memoryMb(pid, field) {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * The highest of a process that ends by itself, looked at every 5 ms.
 *
 * @param {number[]} samples
 * @returns {import('../../dist/lanes/start-inference-process.js').StartInferenceProcess}
 */
function watched(samples) {
  return (options) => {
    const child = startInferenceProcess(options);
    const timer = setInterval(() => samples.push(memoryMb(child.pid, 'VmHWM')), 5);
    timer.unref();
    return child;
  };
}

/** @returns {Record<'compile' | 'compilePeak' | 'disk' | 'open' | 'openPeak' | 'steady', number[]>} */
function emptyFigures() {
  return { compile: [], compilePeak: [], disk: [], open: [], openPeak: [], steady: [] };
}

/**
 * @param {readonly number[]} values
 * @returns best (median)
 */
function shown(values) {
  return `${Math.min(...values).toFixed(0)} (${median(values).toFixed(0)})`;
}

const { folder } = await resolveOffline(MODEL);
const tokens = 16;
console.log(`${MODEL}, ${machine.threads} threads, ${ROUNDS} rounds: best (median)`);
for (const precision of PRECISIONS) {
  const figures = emptyFigures();
  for (let round = 0; round < ROUNDS; round += 1) {
    const outputFolder = mkdtempSync(path.join(tmpdir(), 'bench-compile-'));
    try {
      /** @type {number[]} */
      const samples = [];
      const compile = createCompileJob({ laneMain: LANE_MAIN, logger, startProcess: watched(samples) });
      let from = performance.now();
      const compiled = await compile({ ...requestOf(folder, precision, 'bench'), outputFolder });
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
  const { compile, compilePeak, disk, open, openPeak, steady } = figures;
  const ratio = Math.max(...openPeak.map((peak, index) => peak / (steady[index] ?? 1)));
  console.log(
    `${precision.padEnd(8)} compile ${shown(compile)} ms, peak ${shown(compilePeak)} MB   on disk ${shown(disk)} MB   ` +
      `process start to open ${shown(open)} ms   lane ${shown(steady)} MB, peak ${ratio.toFixed(2)} x that`,
  );
}
