// Stands in for dist/lane-main.js: the same child end, a session that does what its graph path and its input names say.
import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { guardInferenceProcess } from '../../../dist/lanes/guard-inference-process.js';
import { parseLaunchArguments } from '../../../dist/lanes/launch-arguments.js';
import { serveChannel } from '../../../dist/lanes/serve-channel.js';

const busyLoop = () => {
  for (;;);
};

/** As a failed assertion in native code ends it, without the stack that `process.abort` prints. */
function crash() {
  process.kill(process.pid, 'SIGABRT');
  busyLoop();
}

const graphs = {
  good() {},
  crash: () => process.exit(3),
  abort: crash,
  refuse() {
    throw new Error('not a graph');
  },
  hang: busyLoop,
};

/** `path` is released when a file of that name exists: the test decides how long the run takes. */
function waitForFile(path) {
  while (!existsSync(path));
}

const runs = {
  echo: (inputs) => inputs,
  throw() {
    throw new Error('index 99999 is out of bounds');
  },
  hang: busyLoop,
  'hang-afterwards'(inputs) {
    setImmediate(busyLoop);
    return inputs;
  },
  exit: () => process.exit(7),
  garbage() {
    writeSync(3, 'this is no frame at all');
    busyLoop();
  },
  environment: () => [{ name: Object.keys(process.env).join(), dims: [0], data: new Float32Array(0) }],
};

async function run(inputs) {
  const name = inputs[0].name;
  if (name.startsWith('wait:')) {
    const [, started, released] = name.split(':');
    writeFileSync(started, '');
    waitForFile(released);
    return inputs;
  }
  return runs[name](inputs);
}

guardInferenceProcess(parseLaunchArguments(process.argv.slice(2)));
serveChannel(3, {
  async openSession(graphPath, options) {
    if (options.threads < 1) throw new Error('no threads');
    graphs[graphPath]();
    return { run, dispose: async () => {} };
  },
  async compile(request) {
    if (request.modelId === 'crash') crash();
    if (request.modelId === 'hang') busyLoop();
    const { ServiceError } = await import('../../../dist/contracts/errors.js');
    if (request.modelId === 'refuse') {
      throw new ServiceError('invalid_checkpoint', 'The tensor is too short.', {
        param: 'model',
        cause: new Error('at 17'),
      });
    }
    return {
      graphPath: `${request.outputFolder}/model.onnx`,
      contentKey: request.contentKey,
      tasks: ['embed'],
      precision: request.dtype,
      architecture: 'bert',
      inputs: [{ name: 'input_ids', role: 'input_ids' }],
      outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 4, firstToken: 0, ignoredIds: [] }],
      vocabularySize: 10,
      maxPositions: 16,
      unreadTensors: ['cls.bias'],
    };
  },
});
