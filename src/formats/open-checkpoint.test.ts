import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { safetensorsBytes } from '../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { openCheckpoint } from './open-checkpoint.ts';

const tensor = (value: number) => ({ dtype: 'F32', shape: [1], data: Float32Array.of(value) });

function folderWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return fakeModelFolder({ path: folder, files: readdirSync(folder) });
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
