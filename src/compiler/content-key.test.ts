import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { safetensorsBytes } from '../../test/fakes/safetensors-bytes.ts';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { openModelFolder } from '../hub/open-model-folder.ts';
import { type ContentKeyOptions, contentKey } from './content-key.ts';

const OPTIONS: ContentKeyOptions = {
  dtype: 'float32',
  onQualityLoss: 'fall-back',
  task: 'auto',
  runtimeVersion: '1.0.0',
  cpuAbilities: ['avx2'],
};
const BLOB = 'a'.repeat(64);

const weights = (value: number) => safetensorsBytes({ a: { dtype: 'F32', shape: [1], data: Float32Array.of(value) } });

function folderWith(fields: Partial<ModelFolder> = {}): ModelFolder & { readonly weightsPath: string } {
  const folder = temporaryFolder();
  const weightsPath = path.join(folder, 'model.safetensors');
  writeFileSync(weightsPath, weights(1));
  utimesSync(weightsPath, 1000, 1000);
  return { ...fakeModelFolder({ path: folder, files: ['model.safetensors'], ...fields }), weightsPath };
}

test('the same files have the same key, wherever they lie', async () => {
  const key = await contentKey(folderWith(), OPTIONS);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await contentKey(folderWith(), OPTIONS)).toBe(key);
});

test.each<[string, Partial<ModelFolder>]>([
  ['config.json', { config: { layer_norm_eps: 1e-5 } }],
  ['modules.json', { modules: [{ type: 'Transformer', path: '', config: undefined }] }],
  [
    'the activation of a reranker',
    { sentenceTransformersConfig: { activation_fn: 'torch.nn.modules.linear.Identity' } },
  ],
  ['a class of tokenizer', { tokenizerConfig: { tokenizer_class: 'BertTokenizer' } }],
])('%s changes the key', async (_what, fields) => {
  expect(await contentKey(folderWith(fields), OPTIONS)).not.toBe(await contentKey(folderWith(), OPTIONS));
});

test.each([
  ['the task', { ...OPTIONS, task: 'rerank' as const }],
  ['what is asked for', { ...OPTIONS, dtype: 'int8' as const }],
  ['what a loss leads to', { ...OPTIONS, onQualityLoss: 'keep' as const }],
  ['the runtime', { ...OPTIONS, runtimeVersion: '1.0.1' }],
  ['the CPU', { ...OPTIONS, cpuAbilities: ['avx2', 'avx_vnni'] }],
])('%s changes the key', async (_what, options) => {
  expect(await contentKey(folderWith(), options)).not.toBe(await contentKey(folderWith(), OPTIONS));
});

test('a change of the weights changes the key, by header, size or time', async () => {
  const folder = folderWith();
  const before = await contentKey(folder, OPTIONS);
  utimesSync(folder.weightsPath, 1000, 2000);
  const touched = await contentKey(folder, OPTIONS);
  writeFileSync(folder.weightsPath, safetensorsBytes({ b: { dtype: 'F32', shape: [1], data: Float32Array.of(1) } }));
  utimesSync(folder.weightsPath, 1000, 1000);
  const renamed = await contentKey(folder, OPTIONS);
  expect(new Set([before, touched, renamed]).size).toBe(3);
});

test('other weights of the same size and time change the key', async () => {
  const folder = folderWith();
  const before = await contentKey(folder, OPTIONS);
  writeFileSync(folder.weightsPath, weights(2));
  utimesSync(folder.weightsPath, 1000, 1000);
  expect(await contentKey(folder, OPTIONS)).not.toBe(before);
});

test('a link into a hub cache stands for its blob, whatever its time', async () => {
  const folder = folderWith();
  const blobs = path.join(folder.path, 'blobs');
  mkdirSync(blobs);
  renameSync(folder.weightsPath, path.join(blobs, BLOB));
  symlinkSync(path.join('blobs', BLOB), folder.weightsPath);
  const before = await contentKey(folder, OPTIONS);
  utimesSync(path.join(blobs, BLOB), 5000, 5000);
  expect(await contentKey(folder, OPTIONS)).toBe(before);
  const other = 'b'.repeat(64);
  renameSync(path.join(blobs, BLOB), path.join(blobs, other));
  renameSync(folder.weightsPath, path.join(folder.path, 'old'));
  symlinkSync(path.join('blobs', other), folder.weightsPath);
  expect(await contentKey(folder, OPTIONS)).not.toBe(before);
});

test('weights of a module and those of torch are part of the key', async () => {
  const golden = (name: string) =>
    openModelFolder(name, fileURLToPath(new URL(`../../test/golden/public/${name}/model`, import.meta.url)));
  const dense = await golden('bert-dense-tanh');
  const m3 = await golden('bge-m3');
  const [keyOfDense, keyOfM3] = [await contentKey(dense, OPTIONS), await contentKey(m3, OPTIONS)];
  const without = (folder: ModelFolder, name: string) => ({
    ...folder,
    files: folder.files.filter((each) => each !== name),
  });
  expect(await contentKey(without(dense, '2_Dense/model.safetensors'), OPTIONS)).not.toBe(keyOfDense);
  expect(await contentKey(without(m3, 'sparse_linear.pt'), OPTIONS)).not.toBe(keyOfM3);
});

test('a folder without weights has no key', async () => {
  await expect(contentKey(fakeModelFolder(), OPTIONS)).rejects.toMatchObject({ code: 'invalid_model_folder' });
});
