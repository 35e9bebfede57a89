import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findArchitecture } from '../../src/compiler/architectures/registry.ts';
import { planModel } from '../../src/compiler/build-graph.ts';
import { GraphBuilder } from '../../src/compiler/graph/graph-builder.ts';
import { initializerOf } from '../../src/compiler/graph/write-graph.ts';
import { cast } from '../../src/compiler/layers/cast.ts';
import { readWhole } from '../../src/compiler/weights/read-whole.ts';
import { WeightScope } from '../../src/compiler/weights/weight-scope.ts';
import { encodeModel } from '../../src/formats/onnx/encode-model.ts';
import type { OnnxInitializer } from '../../src/formats/onnx/onnx-model.ts';
import { createWeightsFile } from '../../src/formats/onnx/weights-file.ts';
import { openCheckpoint } from '../../src/formats/open-checkpoint.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';

export interface ExportOptions {
  /** Name of a file beside the graph for the weights; inside the graph where none is given. */
  readonly weightsFile?: string;
  /** The graph's output; `logits` takes the head of the model as well. */
  readonly output?: 'last_hidden_state' | 'logits';
}

/**
 * Writes the checkpoint of a model folder as exporters do: int64 `input_ids`, `attention_mask` and `token_type_ids`, and the
 * last hidden state of all tokens, or the logits.
 */
export async function exportOnnx(modelPath: string, filePath: string, options: ExportOptions = {}): Promise<void> {
  const { weightsFile, output = 'last_hidden_state' } = options;
  const folder = await openModelFolder('export', modelPath);
  const checkpoint = await openCheckpoint(folder);
  const plan = planModel(folder, findArchitecture(folder).configure(folder.config), checkpoint.tensors, 'auto');
  const { model, head, inputs } = plan;
  const g = new GraphBuilder();
  const names = ['input_ids', 'attention_mask', 'token_type_ids'].slice(0, inputs.length + 1);
  const [ids, , types] = names.map((name) => g.input(name, 'INT64', ['batch', 'sequence']));
  if (ids === undefined) throw new Error('there are inputs');
  const root = new WeightScope(checkpoint.tensors);
  const body = model.anchor === undefined ? root : root.rootedAt(model.anchor);
  const typeIds = types === undefined ? undefined : cast(g, types, 'INT32');
  const hidden = model.hidden(g, body, { ids: cast(g, ids, 'INT32'), typeIds }, 'all');
  const [logits] = output === 'logits' ? head.apply(g, root, body, hidden) : [];
  g.output(output, logits ?? hidden);

  const { nodes, constants, ...values } = g.build();
  mkdirSync(path.dirname(filePath), { recursive: true });
  const beside =
    weightsFile === undefined ? undefined : createWeightsFile(path.join(path.dirname(filePath), weightsFile));
  const initializers = constants.map((constant): OnnxInitializer => {
    if (beside !== undefined || !('chunks' in constant)) return initializerOf(constant, beside ?? noFile);
    const { name, dims } = constant;
    return { name, dims, elementType: 'FLOAT', data: Buffer.from(readWhole(constant).buffer) };
  });
  beside?.close();
  await checkpoint.close();
  writeFileSync(filePath, encodeModel({ name: 'export', nodes, initializers, ...values }));
}

const noFile = {
  append(): never {
    throw new Error('whole numbers are inside the graph');
  },
  close() {},
};
