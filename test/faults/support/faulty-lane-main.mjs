// Stands in for dist/lane-main.js: the same process around the same sessions, which goes wrong where `faults.json` in the folder
// of the test says so: `{ "open": ["crash", "none"], "compile": "hang" }` for the first and all later starts, and in runs with
// the words of markers.json, each known by its id in the model that the tests embed with.
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileRequest } from '../../../dist/app/compile-job/compile-request.js';
import { guardInferenceProcess } from '../../../dist/lanes/guard-inference-process.js';
import { parseLaunchArguments } from '../../../dist/lanes/launch-arguments.js';
import { serveChannel } from '../../../dist/lanes/serve-channel.js';
import { openSession } from '../../../dist/runtime/open-session.js';

const MARKERS = Object.values(JSON.parse(readFileSync(new URL('./markers.json', import.meta.url), 'utf8')));
const folder = process.env.FAULTS_FOLDER;

function block(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const ACTIONS = {
  none() {},
  /** As a failed assertion in native code ends it, without the core dump. */
  crash() {
    process.kill(process.pid, 'SIGSEGV');
    block();
  },
  exit: () => process.exit(7),
  hang: () => block(),
  throw() {
    throw new Error('bad allocation');
  },
  /** Until the test lets it go on. */
  wait() {
    while (!existsSync(path.join(folder, 'released'))) block(5);
  },
};

function readFaults() {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'faults.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** Counts a start of this process's model; from 0. */
function countStart(title) {
  const file = path.join(folder, `starts-${title.replaceAll(/\W+/g, '-')}`);
  appendFileSync(file, '.');
  return statSync(file).size - 1;
}

function actAtOpen(title) {
  const { open = {} } = readFaults();
  const actions = Object.entries(open).find(([model]) => title.includes(model))?.[1];
  if (actions === undefined) return;
  ACTIONS[actions[Math.min(countStart(title), actions.length - 1)]]();
}

/** The rows of a run that hold the marker. */
function rowsWith(id, { dims: [batch, sequence], data }) {
  return Array.from({ length: batch }, (_, row) => row).filter((row) =>
    data.subarray(row * sequence, (row + 1) * sequence).includes(id),
  );
}

function spoil(tensor, rows) {
  const size = tensor.data.length / tensor.dims[0];
  for (const row of rows) tensor.data.fill(Number.NaN, row * size, (row + 1) * size);
  return tensor;
}

function faulty(session) {
  return {
    async run(inputs) {
      const ids = inputs.find(({ name }) => name === 'input_ids');
      appendFileSync(path.join(folder, 'runs'), `${ids.dims[0]}\n`);
      for (const { id, action } of MARKERS) {
        if (action in ACTIONS && rowsWith(id, ids).length > 0) ACTIONS[action]();
      }
      const outputs = await session.run(inputs);
      const { nan, shape } = Object.fromEntries(MARKERS.map(({ id, action }) => [action, rowsWith(id, ids)]));
      if (shape.length > 0) return outputs.map(({ name, data }) => ({ name, dims: [data.length], data }));
      return outputs.map((output) => spoil(output, nan));
    },
    dispose: () => session.dispose(),
  };
}

const launch = parseLaunchArguments(process.argv.slice(2));
guardInferenceProcess(launch);
serveChannel(3, {
  async openSession(graphPath, options) {
    actAtOpen(launch.title);
    return faulty(await openSession(graphPath, options));
  },
  compile(request) {
    const { compile = 'none' } = readFaults();
    ACTIONS[compile]();
    return compileRequest(request);
  },
});
