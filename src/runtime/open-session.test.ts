import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { encodeModel } from '../formats/onnx/encode-model.ts';
import type { OnnxModel } from '../formats/onnx/onnx-model.ts';
import { openSession } from './open-session.ts';

const bytesOf = (values: Float32Array<ArrayBuffer>) => new Uint8Array(values.buffer);

/** `table` `[4, 2]`, indexed by int32 `ids` `[batch]`: `rows` `[batch, 2]`. The table is in a file beside the graph. */
const LOOKUP: OnnxModel = {
  name: 'lookup',
  nodes: [{ name: 'n', operator: 'Gather', domain: '', inputs: ['table', 'ids'], outputs: ['rows'], attributes: {} }],
  initializers: [
    {
      name: 'table',
      elementType: 'FLOAT',
      dims: [4, 2],
      data: { fileName: 'weights.bin', byteOffset: 4096, byteLength: 32 },
    },
  ],
  inputs: [{ name: 'ids', elementType: 'INT32', dims: ['batch'] }],
  outputs: [{ name: 'rows', elementType: 'FLOAT', dims: ['batch', 2] }],
};

async function openLookup() {
  const folder = temporaryFolder();
  const weights = Buffer.concat([Buffer.alloc(4096), bytesOf(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7))]);
  writeFileSync(path.join(folder, 'weights.bin'), weights);
  writeFileSync(path.join(folder, 'graph.onnx'), encodeModel(LOOKUP));
  const session = await openSession(path.join(folder, 'graph.onnx'), { threads: 1 });
  onTestFinished(() => session.dispose());
  return session;
}

test('runs a graph whose weights lie beside it', async () => {
  const session = await openLookup();
  const outputs = await session.run([{ name: 'ids', dims: [3], data: Int32Array.of(3, 0, 1) }]);
  expect(outputs).toEqual([{ name: 'rows', dims: [3, 2], data: Float32Array.of(6, 7, 0, 1, 2, 3) }]);
});

test.each([
  ['no input', []],
  ['an input of another name', [{ name: 'x', dims: [1], data: Int32Array.of(0) }]],
  ['an input of another type', [{ name: 'ids', dims: [1], data: Float32Array.of(0) }]],
  ['an id outside the table', [{ name: 'ids', dims: [1], data: Int32Array.of(4) }]],
])('a run with %s is refused, and the next one works', async (_what, inputs) => {
  const session = await openLookup();
  await expect(session.run(inputs)).rejects.toMatchObject({ code: 'run_failed' });
  const [rows] = await session.run([{ name: 'ids', dims: [1], data: Int32Array.of(1) }]);
  expect(rows?.data).toEqual(Float32Array.of(2, 3));
});

test('a file that is no graph is refused', async () => {
  const graphPath = path.join(temporaryFolder(), 'graph.onnx');
  writeFileSync(graphPath, 'no graph');
  await expect(openSession(graphPath, { threads: 1 })).rejects.toMatchObject({
    code: 'model_failed',
    message: expect.stringMatching(/^the graph could not be opened: [^/]* graph\.onnx/),
  });
});
