import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exportOnnx } from '../../test/fakes/onnx-export.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import type { Logger } from '../contracts/logger.ts';
import { encodeModel } from '../formats/onnx/encode-model.ts';
import { openModelFolder } from '../hub/open-model-folder.ts';
import { chooseSource } from './choose-source.ts';

const CHECKPOINT = fileURLToPath(new URL('../../test/golden/public/bert-mean/model', import.meta.url));
const machine = { architecture: 'x64', cpuAbilities: [], memoryBytes: 2 ** 33, threads: 1 };

/** A copy of a small model, with an ONNX file. */
async function repository(weightsFile?: string): Promise<string> {
  const root = temporaryFolder();
  cpSync(CHECKPOINT, root, { recursive: true });
  const options = weightsFile === undefined ? {} : { weightsFile };
  await exportOnnx(CHECKPOINT, path.join(root, 'onnx/model.onnx'), options);
  return root;
}

async function choose(
  root: string,
  settings: Partial<Parameters<typeof chooseSource>[1]> = {},
  fetched: () => string = () => root,
) {
  const lines: string[] = [];
  const line = (message: string) => lines.push(message);
  const logger: Logger = { error: line, warning: line, info: line, debug: line };
  const folder = await openModelFolder('org/model', root);
  const dtype = { dtype: 'float32', strictDtype: false, forceDtype: false } as const;
  const unset = { onnxFile: undefined, poolingMethod: 'auto', task: 'auto' } as const;
  const wanted = { engine: 'optimum', ...dtype, ...unset, ...settings } as const;
  const withOnnxFile = async () => openModelFolder('org/model', fetched());
  return { ...(await chooseSource(folder, wanted, { machine, logger, withOnnxFile })), lines };
}

test('torch takes the checkpoint, optimum the ONNX file, and says which', async () => {
  const root = await repository();
  expect(await choose(root, { engine: 'torch' })).toMatchObject({ engine: 'torch', lines: [] });
  expect(await choose(root)).toMatchObject({
    engine: 'optimum',
    onnxFile: 'onnx/model.onnx',
    lines: ["'org/model' is served from onnx/model.onnx."],
  });
});

test('auto takes the ONNX file only where the checkpoint cannot be compiled', async () => {
  const root = await repository();
  expect(await choose(root, { engine: 'auto' })).toMatchObject({ engine: 'torch' });
  writeFileSync(path.join(root, 'config.json'), JSON.stringify({ model_type: 'new-family', vocab_size: 400 }));
  const { engine, lines } = await choose(root, { engine: 'auto' });
  expect(engine).toBe('optimum');
  expect(lines[0]).toBe("The checkpoint of 'org/model' is not supported; its ONNX file is served.");
  rmSync(path.join(root, 'onnx'), { recursive: true });
  await expect(choose(root, { engine: 'auto' })).rejects.toThrow("model_type is 'new-family', expected one of");
});

test('auto fetches the ONNX file once it is known that the checkpoint cannot be compiled', async () => {
  const root = await repository();
  const config = JSON.stringify({ model_type: 'new-family', vocab_size: 400 });
  writeFileSync(path.join(root, 'config.json'), config);
  const partial = temporaryFolder();
  cpSync(CHECKPOINT, partial, { recursive: true });
  writeFileSync(path.join(partial, 'config.json'), config);
  expect(await choose(partial, { engine: 'auto' }, () => root)).toMatchObject({
    engine: 'optimum',
    folder: { path: root },
  });
  const unreachable = () => {
    throw new Error('no network');
  };
  const refused = choose(partial, { engine: 'auto' }, unreachable);
  await expect(refused).rejects.toThrow("model_type is 'new-family'");
});

test.each(['model.onnx_data', 'model.onnx.data'])(
  'weights beside the graph are found as %s, and missed by name (reported fault 69)',
  async (weightsFile) => {
    const root = await repository(weightsFile);
    const { contentKey } = await choose(root);
    expect(contentKey).toMatch(/^[0-9a-f]{64}$/);
    rmSync(path.join(root, 'onnx', weightsFile));
    await expect(choose(root)).rejects.toThrow(
      `onnx/model.onnx keeps its weights in onnx/${weightsFile}, which the folder lacks`,
    );
  },
);

test('the key changes with the graph, and with the weights beside it', async () => {
  const root = await repository('model.onnx_data');
  const keys = new Set([(await choose(root)).contentKey]);
  keys.add((await choose(root, { engine: 'torch' })).contentKey);
  writeFileSync(path.join(root, 'onnx/model.onnx_data'), Buffer.alloc(200_000));
  keys.add((await choose(root)).contentKey);
  const other = await repository();
  keys.add((await choose(other)).contentKey);
  keys.add((await choose(other, { poolingMethod: 'cls' })).contentKey);
  expect(keys.size).toBe(5);
});

test('a file that turns out to be quantised is served only by name (reported fault 25)', async () => {
  const root = await repository();
  const bytes = encodeModel({
    name: 'int8',
    nodes: [{ name: 'n', operator: 'MatMulInteger', domain: '', inputs: ['a', 'b'], outputs: ['y'], attributes: {} }],
    initializers: [],
    inputs: [{ name: 'a', elementType: 'INT64', dims: ['batch', 'sequence'] }],
    outputs: [{ name: 'y', elementType: 'FLOAT', dims: ['batch', 4] }],
  });
  writeFileSync(path.join(root, 'onnx/model.onnx'), bytes);
  await expect(choose(root)).rejects.toThrow('onnx/model.onnx holds quantised weights, expected float32; --onnx-file');
  expect(await choose(root, { onnxFile: 'model.onnx' })).toMatchObject({ onnxFile: 'onnx/model.onnx' });
});

test('a file that Git LFS has not fetched is named as such', async () => {
  const root = await repository();
  writeFileSync(
    path.join(root, 'onnx/model.onnx'),
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
  );
  await expect(choose(root)).rejects.toThrow('Git LFS pointer');
});
