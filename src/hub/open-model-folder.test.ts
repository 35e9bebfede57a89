import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openModelFolder } from './open-model-folder.ts';

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 133466304\n`;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'model-folder-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes `content` as JSON, or as it is when it is a string. */
async function put(name: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
}

const opened = () => openModelFolder('org/model', root);
const refused = (message: RegExp | string) =>
  expect(opened()).rejects.toMatchObject({
    code: 'invalid_model_folder',
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  });

test('a folder in sentence-transformers layout is listed and parsed', async () => {
  await put('config.json', { model_type: 'bert' });
  await put('modules.json', [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    { idx: 2, name: '2', path: './2_Normalize/', type: 'sentence_transformers.models.Normalize' },
  ]);
  await put('1_Pooling/config.json', { pooling_mode_cls_token: true });
  await put('sentence_bert_config.json', { max_seq_length: 512 });
  await put('tokenizer_config.json', { do_lower_case: true });
  await put('.git/HEAD', 'ref: refs/heads/main');
  const folder = await opened();
  expect(folder).toEqual({
    id: 'org/model',
    path: root,
    files: [
      '1_Pooling/config.json',
      'config.json',
      'modules.json',
      'sentence_bert_config.json',
      'tokenizer_config.json',
    ],
    config: { model_type: 'bert' },
    modules: [
      { type: 'Transformer', path: '', config: { model_type: 'bert' } },
      { type: 'Pooling', path: '1_Pooling', config: { pooling_mode_cls_token: true } },
      { type: 'Normalize', path: '2_Normalize', config: undefined },
    ],
    sentenceBertConfig: { max_seq_length: 512 },
    tokenizerConfig: { do_lower_case: true },
  });
});

test('a plain transformers folder has no modules and no sentence-transformers files', async () => {
  await put('config.json', { model_type: 'bert' });
  expect(await opened()).toMatchObject({
    modules: [],
    sentenceBertConfig: undefined,
    sentenceTransformersConfig: undefined,
    tokenizerConfig: undefined,
  });
});

test('files that are links, as in the cache of the hub, are followed and links to nothing left out', async () => {
  await put('blobs/abc', '{"model_type":"bert"}');
  await mkdir(path.join(root, 'snapshots/main'), { recursive: true });
  await symlink('../../blobs/abc', path.join(root, 'snapshots/main/config.json'));
  await symlink('../../blobs/gone', path.join(root, 'snapshots/main/model.safetensors'));
  const folder = await openModelFolder('org/model', path.join(root, 'snapshots/main'));
  expect(folder.files).toEqual(['config.json']);
  expect(folder.config).toEqual({ model_type: 'bert' });
});

test('a circle of links ends at the greatest depth', async () => {
  await put('config.json', {});
  await symlink('.', path.join(root, 'loop'));
  expect((await opened()).files).toContain('loop/loop/config.json');
});

test('a relative path becomes absolute', async () => {
  await put('config.json', {});
  const folder = await openModelFolder('org/model', path.relative(process.cwd(), root));
  expect(folder.path).toBe(root);
});

test('a folder without config.json is refused by its path', async () => {
  await refused(
    `'${root}': expected a model folder in Hugging Face format with a config.json, got a folder without one`,
  );
});

test('a file and a path to nothing are refused as folders', async () => {
  await put('model.onnx', 'x');
  const open = (name: string) => openModelFolder('org/model', path.join(root, name));
  await expect(open('model.onnx')).rejects.toThrow(/model\.onnx': expected a model folder, got a file/);
  await expect(open('nowhere')).rejects.toThrow(/nowhere': expected a model folder, got nothing at that path/);
});

test.each([
  ['an empty file', '', /config\.json': expected JSON, got an empty file/],
  ['broken JSON', '{"model_type": ', /config\.json': expected JSON, got 15 characters/],
  ['an array', [], /config\.json': expected a JSON object, got an array/],
  ['null', 'null', /config\.json': expected a JSON object, got null/],
  ['a number', '5', /config\.json': expected a JSON object, got a JSON number/],
  ['a Git LFS pointer', LFS_POINTER, /config\.json, got a Git LFS pointer to it; run 'git lfs pull'/],
])('config.json that is %s is refused', async (_name, content, message) => {
  await put('config.json', content);
  await refused(message);
});

test('config.json that is a folder is refused', async () => {
  await put('config.json/x', '');
  await refused(/config\.json': expected a file, got a folder/);
});

test('a byte order mark before the JSON is accepted', async () => {
  await put('config.json', '\uFEFF{"model_type":"bert"}');
  expect((await opened()).config).toEqual({ model_type: 'bert' });
});

test.each(['model.safetensors', 'model-00002-of-00003.safetensors', '2_Dense/model.safetensors', 'tokenizer.json'])(
  'a Git LFS pointer in place of %s is named with its fix',
  async (name) => {
    await put('config.json', {});
    await put(name, LFS_POINTER);
    await refused(`'${path.join(root, name)}': expected the content of ${path.basename(name)}, got a Git LFS pointer`);
  },
);

test('a Git LFS pointer in place of a file that no start needs is left alone', async () => {
  await put('config.json', {});
  await put('onnx/model.onnx', LFS_POINTER);
  await put('pytorch_model.bin', LFS_POINTER);
  expect((await opened()).files).toHaveLength(3);
});

test.each([
  ['an object', {}, 'expected an array of modules, got a JSON object'],
  ['a list of strings', ['x'], 'expected module 0 to be an object, got a JSON string'],
  ['a row without a type', [{ path: '' }], "expected 'type' of module 0 to be a class path, got nothing"],
  ['a row with half a type', [{ path: '', type: 'a.' }], "expected 'type' of module 0 to be a class path, got 'a.'"],
  ['a path of another kind', [{ path: 5, type: 'X' }], "expected 'path' of module 0 to be a string, got a JSON number"],
])('modules.json that is %s is refused', async (_name, modules, message) => {
  await put('config.json', {});
  await put('modules.json', modules);
  await refused(message);
});

test.each(['..', '../other', '1_Pooling/../../x', '/etc', 'C:\\models', '..\\other'])(
  'a module path that leaves the folder is refused: %s',
  async (modulePath) => {
    await put('config.json', {});
    await put('modules.json', [{ path: modulePath, type: 'x.Pooling' }]);
    await refused(`expected 'path' of module 0 to stay inside the model folder, got '${modulePath}'`);
  },
);

test('a table of vectors needs no config.json', async () => {
  await put('modules.json', [{ idx: 0, path: '0_Static', type: 'sentence_transformers.models.StaticEmbedding' }]);
  expect(await opened()).toMatchObject({ config: {}, modules: [{ type: 'StaticEmbedding', path: '0_Static' }] });
});

test("a module's config is read only where it is one of the folder's files", async () => {
  await put('config.json', {});
  await put('.hidden/config.json', { secret: true });
  await put('a/b/c/d/e/f/config.json', { secret: true });
  await put('modules.json', [
    { path: '.hidden', type: 'x.Pooling' },
    { path: 'a/b/c/d/e/f', type: 'x.Pooling' },
  ]);
  expect((await opened()).modules.map(({ config }) => config)).toEqual([undefined, undefined]);
});
