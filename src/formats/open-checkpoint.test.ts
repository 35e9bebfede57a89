import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { safetensorsBytes } from '../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { stateDict, zipBytes } from '../../test/fakes/torch-bytes.ts';
import { openCheckpoint } from './open-checkpoint.ts';

const tensor = (value: number) => ({ dtype: 'F32', shape: [1], data: Float32Array.of(value) });

function folderWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return fakeModelFolder({ path: folder, files: Object.keys(files) });
}

const index = (weightMap: Readonly<Record<string, string>>) => JSON.stringify({ weight_map: weightMap });

test('a single file is opened', async () => {
  const checkpoint = await openCheckpoint(folderWith({ 'model.safetensors': safetensorsBytes({ a: tensor(1) }) }));
  expect([...checkpoint.tensors.keys()]).toEqual(['a']);
  await checkpoint.close();
});

test('shards are opened as one', async () => {
  const checkpoint = await openCheckpoint(
    folderWith({
      'model.safetensors.index.json': index({ a: 'one.safetensors', b: 'two.safetensors' }),
      'one.safetensors': safetensorsBytes({ a: tensor(1) }),
      'two.safetensors': safetensorsBytes({ b: tensor(2) }),
    }),
  );
  expect([...(checkpoint.tensors.get('b')?.chunks() ?? [])]).toEqual([Float32Array.of(2)]);
  expect(checkpoint.tensors.get('b')?.fileName).toBe('two.safetensors');
  await checkpoint.close();
});

test('a folder without weights is refused with what it holds', async () => {
  await expect(openCheckpoint(folderWith({ 'tf_model.h5': 'x' }))).rejects.toMatchObject({
    code: 'invalid_model_folder',
    message: expect.stringMatching(/expected model\.safetensors or pytorch_model\.bin .*, it holds tf_model\.h5$/),
  });
});

test.each([
  [
    'a shard is missing',
    { 'model.safetensors.index.json': index({ a: 'one.safetensors', b: 'two.safetensors' }) },
    /names 2 files, missing: two\.safetensors/,
  ],
  [
    'a tensor is not where the index says',
    { 'model.safetensors.index.json': index({ a: 'one.safetensors', c: 'one.safetensors' }) },
    /^one\.safetensors has no tensor 'c', which the index puts there$/,
  ],
  [
    'two shards hold one tensor',
    {
      'model.safetensors.index.json': index({ a: 'one.safetensors', d: 'other.safetensors' }),
      'other.safetensors': safetensorsBytes({ a: tensor(1), d: tensor(1) }),
    },
    /tensor 'a' is in one\.safetensors and in other\.safetensors, expected in one file/,
  ],
])('it is refused when %s', async (_what, files, message) => {
  const folder = folderWith({ 'one.safetensors': safetensorsBytes({ a: tensor(1) }), ...files });
  await expect(openCheckpoint(folder)).rejects.toMatchObject({
    code: 'invalid_checkpoint',
    message: expect.stringMatching(message),
  });
});

const torch = (name: string, value: number) =>
  zipBytes([
    {
      name: 'a/data.pkl',
      content: stateDict({ [name]: { storage: 'FloatStorage', key: '0', elements: 1, dims: [1], strides: [1] } }),
    },
    { name: 'a/data/0', content: new Uint8Array(Float32Array.of(value).buffer) },
  ]);

async function numbersIn(files: Readonly<Record<string, Uint8Array | string>>, modulePaths: readonly string[] = []) {
  const modules = modulePaths.map((modulePath) => ({ type: 'Dense', path: modulePath, config: undefined }));
  const checkpoint = await openCheckpoint({ ...folderWith(files), modules });
  const found = [...checkpoint.tensors].map(([name, { fileName, chunks }]) => [name, fileName, [...chunks()][0]?.[0]]);
  await checkpoint.close();
  return found;
}

test('where both formats are there, safetensors is read', async () => {
  const files = { 'pytorch_model.bin': torch('a', 2), 'model.safetensors': safetensorsBytes({ a: tensor(1) }) };
  expect(await numbersIn(files)).toEqual([['a', 'model.safetensors', 1]]);
});

test('shards of torch are opened as one', async () => {
  const files = {
    'pytorch_model.bin.index.json': index({ a: 'one.bin', b: 'two.bin' }),
    'one.bin': torch('a', 1),
    'two.bin': torch('b', 2),
  };
  expect(await numbersIn(files)).toEqual([
    ['a', 'one.bin', 1],
    ['b', 'two.bin', 2],
  ]);
});

test('weights of modules have their path before their names, those beside the model the name of their file', async () => {
  const files = {
    'model.safetensors': safetensorsBytes({ a: tensor(1) }),
    '2_Dense/model.safetensors': safetensorsBytes({ 'linear.weight': tensor(2) }),
    '3_Dense/pytorch_model.bin': torch('linear.weight', 3),
    'sparse_linear.pt': torch('weight', 4),
  };
  expect(await numbersIn(files, ['', '2_Dense', '3_Dense', '4_Normalize'])).toEqual([
    ['a', 'model.safetensors', 1],
    ['2_Dense.linear.weight', '2_Dense/model.safetensors', 2],
    ['3_Dense.linear.weight', '3_Dense/pytorch_model.bin', 3],
    ['sparse_linear.weight', 'sparse_linear.pt', 4],
  ]);
});

test('a model whose only weights are those of a module needs none of its own', async () => {
  const files = { '0_StaticEmbedding/model.safetensors': safetensorsBytes({ 'embedding.weight': tensor(1) }) };
  expect(await numbersIn(files, ['0_StaticEmbedding'])).toEqual([
    ['0_StaticEmbedding.embedding.weight', '0_StaticEmbedding/model.safetensors', 1],
  ]);
});
