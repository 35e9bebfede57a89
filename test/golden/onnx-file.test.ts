import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { compileOnnxFile } from '../../src/compiler/onnx-file/compile-onnx-file.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { openSession } from '../../src/runtime/open-session.ts';
import { packRun } from '../../src/scheduling/pack-run.ts';
import { readRows } from '../../src/scheduling/read-rows.ts';
import { type ExportOptions, exportOnnx } from '../fakes/onnx-export.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { encodingsOf, expectedRows, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';

const WEIGHTS = /^(?:model\.safetensors|pytorch_model\.bin)$/;

/** A repository as it is on the hub, with an ONNX file and without the checkpoint that it was exported from. */
async function repositoryOf(name: string, options: ExportOptions) {
  const source = fileURLToPath(new URL(`public/${name}/model`, import.meta.url));
  const root = temporaryFolder();
  cpSync(source, root, { recursive: true });
  for (const file of readdirSync(root)) if (WEIGHTS.test(file)) rmSync(path.join(root, file));
  await exportOnnx(source, path.join(root, 'onnx/model.onnx'), options);
  return openModelFolder(name, root);
}

test.each<[string, string, ExportOptions]>([
  ['bert-mean', 'weights inside the graph', {}],
  ['bert-cls-norm', 'the first token', { weightsFile: 'model.onnx_data' }],
  ['bert-dense-tanh', 'a Dense module after pooling', { weightsFile: 'model.onnx.data' }],
  ['bert-weightedmean', 'a pooling that counts positions', {}],
  ['roberta-embed', 'no token types', { weightsFile: 'model.onnx_data' }],
  ['bert-reranker', 'logits for pairs', { output: 'logits' }],
  ['bert-multilabel', 'a logit for each label', { output: 'logits' }],
])('the ONNX file of %s gives what its checkpoint gives: %s', async (name, _what, options) => {
  const golden = readGolden(name);
  const folder = await repositoryOf(name, options);
  const outputFolder = temporaryFolder();
  const compiled = await compileOnnxFile(folder, 'onnx/model.onnx', {
    outputFolder,
    contentKey: 'golden',
    precision: 'float32',
    task: 'auto',
  });
  expect(readdirSync(outputFolder).sort()).toEqual(['graph.onnx', 'weights.bin']);
  const session = await openSession(compiled.graphPath, { threads: 1 });
  onTestFinished(() => session.dispose());
  for (const goldenCase of golden.cases) {
    for (const [index, item] of encodingsOf(goldenCase).entries()) {
      const shape = { batch: 1, sequence: item.ids.length };
      const [rows] = readRows(await session.run(packRun([item], compiled.inputs)), compiled.outputs, shape);
      if (rows === undefined || rows instanceof Error) throw rows ?? new Error('no rows');
      expect(maxDifference(rows, [expectedRows(goldenCase)[index] ?? []])).toBeLessThanOrEqual(golden.tolerance_tight);
    }
  }
});
