import { expect, test } from 'vitest';
import { resolveForEngine, resolveOnnxFile } from '../../src/app/resolve-for-engine.ts';
import { onMain } from '../fakes/hub/hub-server.ts';
import { repositoryOf } from '../fakes/hub/repository-content.ts';
import { EMBEDDER_FILES, type HubWorld, hubWorld } from './hub-fixture.ts';

const { 'model.safetensors': weights, 'pytorch_model.bin': _bin, 'onnx/model.onnx': graph, ...rest } = EMBEDDER_FILES;
const { 'onnx/model_quantized.onnx': _quantized, ...others } = rest;
const repositories = {
  'org/both': onMain(repositoryOf({ ...rest, 'model.safetensors': weights, 'onnx/model.onnx': graph })),
  'org/onnx-only': onMain(repositoryOf({ ...rest, 'onnx/model.onnx': graph })),
};
const machine = { architecture: 'x64', cpuAbilities: [], memoryBytes: 2 ** 33, threads: 1 };
const context = (world: HubWorld) => ({ ...world.options, useBundled: false, machine });
const settings = (modelId: string, engine: 'torch' | 'optimum' | 'auto') => {
  return { modelId, engine, revision: undefined, onnxFile: undefined, dtype: 'float32' } as const;
};

test.each([
  ['org/both', 'torch', ['model.safetensors']],
  ['org/both', 'auto', ['model.safetensors']],
  ['org/both', 'optimum', ['onnx/model.onnx']],
  ['org/onnx-only', 'auto', ['onnx/model.onnx']],
  ['org/onnx-only', 'optimum', ['onnx/model.onnx']],
] as const)('%s with engine %s downloads %s', async (modelId, engine, expected) => {
  const world = await hubWorld({ repositories });
  const { folder } = await resolveForEngine(settings(modelId, engine), context(world));
  expect(folder.files.filter((name) => /safetensors|onnx/.test(name))).toEqual(expected);
});

test('an ONNX file that turns out to be needed joins the checkpoint in the same snapshot', async () => {
  const world = await hubWorld({ repositories });
  const wanted = settings('org/both', 'auto');
  const { folder } = await resolveForEngine(wanted, context(world));
  const again = await resolveOnnxFile(wanted, context(world));
  expect(again.folder.path).toBe(folder.path);
  expect(again.folder.files).toEqual(expect.arrayContaining(['model.safetensors', 'onnx/model.onnx']));
});

test('a repository without a checkpoint serves from the cache when the hub is gone', async () => {
  const world = await hubWorld({ repositories });
  const wanted = settings('org/onnx-only', 'auto');
  await resolveForEngine(wanted, context(world));
  await world.server.close();
  const offline = { ...context(world), hub: { ...world.options.hub, offline: true } };
  expect(await resolveForEngine(wanted, offline)).toMatchObject({ source: 'cache' });
});

test('what is missing is told of the checkpoint where there is no ONNX file either, and torch never takes one', async () => {
  const world = await hubWorld({ repositories: { 'org/none': onMain(repositoryOf(others)), ...repositories } });
  for (const [modelId, engine] of [
    ['org/none', 'auto'],
    ['org/onnx-only', 'torch'],
  ] as const) {
    await expect(resolveForEngine(settings(modelId, engine), context(world))).rejects.toThrow(
      'expected model.safetensors or pytorch_model.bin in the repository',
    );
  }
});
