import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import type { Task } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { openModelFolder } from '../hub/open-model-folder.ts';
import { compileModel } from './compile-model.ts';

function openGolden(name: string): Promise<ModelFolder> {
  return openModelFolder(name, fileURLToPath(new URL(`../../test/golden/public/${name}/model`, import.meta.url)));
}

function compile(folder: ModelFolder, outputFolder = temporaryFolder(), task: Task | 'auto' = 'auto') {
  return compileModel(folder, { outputFolder, contentKey: 'key', precision: 'float32', task });
}

test('an embedder becomes a graph, its weights, and what one must know to feed it', async () => {
  const outputFolder = temporaryFolder();
  const compiled = await compile(await openGolden('bert-cls-norm'), outputFolder);
  expect(compiled).toEqual({
    graphPath: path.join(outputFolder, 'graph.onnx'),
    contentKey: 'key',
    tasks: ['embed'],
    precision: 'float32',
    architecture: 'bert',
    inputs: [
      { name: 'input_ids', role: 'input_ids' },
      { name: 'token_type_ids', role: 'token_type_ids' },
    ],
    outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 32, firstToken: 0, ignoredIds: [] }],
    vocabularySize: 400,
    maxPositions: 48,
    unreadTensors: ['pooler.dense.bias', 'pooler.dense.weight'],
  });
  expect(readdirSync(outputFolder).sort()).toEqual(['graph.onnx', 'weights.bin']);
  expect(JSON.parse(JSON.stringify(compiled))).toEqual(compiled);
});

test('a reranker becomes a graph with one logit', async () => {
  const compiled = await compile(await openGolden('bert-reranker'));
  expect(compiled).toMatchObject({
    tasks: ['rerank'],
    outputs: [{ name: 'logits', role: 'logits', width: 1 }],
    classification: { labels: ['LABEL_0'], scoreFunction: 'none' },
    unreadTensors: [],
  });
});

test('a task that was asked for is the only one, and its output too', async () => {
  const compiled = await compile(await openGolden('bge-m3'), temporaryFolder(), 'colbert');
  expect(compiled.tasks).toEqual(['colbert']);
  expect(compiled.outputs.map(({ role }) => role)).toEqual(['colbert']);
});

test('a task that the files have no weights for is refused with what they can do', async () => {
  await expect(compile(await openGolden('bert-cls-norm'), temporaryFolder(), 'rerank')).rejects.toMatchObject({
    code: 'unsupported_architecture',
    message: "model 'bert-cls-norm': --task asks for rerank, but its files can only do embed",
  });
});

test('a model whose tokenizer gives no token types has no such input', async () => {
  const folder = await openGolden('bert-cls-norm');
  const compiled = await compile({
    ...folder,
    tokenizerConfig: { model_input_names: ['input_ids', 'attention_mask'] },
  });
  expect(compiled.inputs.map(({ role }) => role)).toEqual(['input_ids']);
});

test.each([
  [
    'intermediate_size',
    65,
    /'encoder\.layer\.0\.intermediate\.dense\.weight' has shape \[64, 32\], expected \[65, 32\]/,
  ],
  ['vocab_size', 401, /'embeddings\.word_embeddings\.weight' has shape \[400, 32\], expected \[401, 32\]/],
  ['max_position_embeddings', 64, /position_embeddings\.weight' has shape \[48, 32\], expected \[64, 32\]/],
  ['type_vocab_size', 1, /token_type_embeddings\.weight' has shape \[2, 32\], expected \[1, 32\]/],
  ['num_hidden_layers', 3, /has no tensor 'encoder\.layer\.2\.attention\.self\.query\.weight', expected \[32, 32\]/],
])('%s %s does not fit the checkpoint, and is named', async (field, value, message) => {
  const folder = await openGolden('bert-cls-norm');
  await expect(compile({ ...folder, config: { ...folder.config, [field]: value } })).rejects.toMatchObject({
    code: 'invalid_checkpoint',
    message: expect.stringMatching(message),
  });
});

test('fewer layers than the checkpoint has leave tensors unread', async () => {
  const folder = await openGolden('bert-reranker');
  const compiled = await compile({ ...folder, config: { ...folder.config, num_hidden_layers: 1 } });
  expect(compiled.unreadTensors).toHaveLength(16);
  expect(compiled.unreadTensors).toContain('bert.encoder.layer.1.output.LayerNorm.weight');
});

test('a folder that cannot be written is an error of compiling', async () => {
  const folder = await openGolden('bert-cls-norm');
  await expect(compile(folder, '/nowhere/at/all')).rejects.toMatchObject({
    code: 'compile_failed',
    message: expect.stringMatching(/^model 'bert-cls-norm' could not be compiled: ENOENT/),
  });
});

test('float16 weights take twice their size in the graph, and memory stays below that', async () => {
  const modelPath = fileURLToPath(new URL('../../models/bge-small-en-v1.5', import.meta.url));
  const outputFolder = temporaryFolder();
  const before = process.resourceUsage().maxRSS;
  await compile(await openModelFolder('bge-small-en-v1.5', modelPath), outputFolder);
  const grownBytes = (process.resourceUsage().maxRSS - before) * 1024;
  const weightsBytes = statSync(path.join(outputFolder, 'weights.bin')).size;
  expect(weightsBytes).toBeGreaterThan(130_000_000);
  expect(grownBytes).toBeLessThan(weightsBytes);
});
