import type { GraphInput, Task } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Checkpoint } from '../formats/checkpoint.ts';
import type { TextModel } from './architectures/architecture.ts';
import { detectHeads } from './detect-heads.ts';
import type { Graph } from './graph/graph.ts';
import { GraphBuilder } from './graph/graph-builder.ts';
import { combinedHead } from './heads/combined-head.ts';
import type { Head, Tensors } from './heads/head.ts';
import { HEADS } from './heads/registry.ts';
import { tokenizerGivesTypeIds } from './tokenizer-type-ids.ts';
import { WeightScope } from './weights/weight-scope.ts';

/** What a graph is for; `auto`: whatever the files say. */
export type WantedTask = Task | 'auto';

/** What the files of a model say, and how its tensors are named. */
export interface ModelPlan {
  readonly model: TextModel;
  readonly head: Head;
  readonly inputs: readonly GraphInput[];
}

/** What must be fed to a model: token types only where it tells them apart and its tokenizer gives them. */
export function inputsOf({ tokenizerConfig }: ModelFolder, { tokenTypes }: TextModel): readonly GraphInput[] {
  const ids = { name: 'input_ids', role: 'input_ids' } as const;
  if (tokenTypes < 2 || !tokenizerGivesTypeIds(tokenizerConfig)) return [ids];
  return [ids, { name: 'token_type_ids', role: 'token_type_ids' }];
}

/** Throws `unsupported_architecture`, `invalid_model_folder` or `invalid_checkpoint`. */
export function planModel(folder: ModelFolder, model: TextModel, tensors: Tensors, task: WantedTask): ModelPlan {
  const [first, ...others] = detectHeads(folder, model, tensors, task);
  const configure = (name: typeof first) => HEADS[name](folder, model, tensors);
  const head = combinedHead([configure(first), ...others.map(configure)]);
  return { model, head, inputs: inputsOf(folder, model) };
}

export interface BuiltGraph {
  readonly graph: Graph;
  readonly unreadTensors: readonly string[];
}

/** The model with its head, as a graph; no weight is read. */
export function buildGraph({ model, head, inputs }: ModelPlan, { tensors }: Pick<Checkpoint, 'tensors'>): BuiltGraph {
  const g = new GraphBuilder();
  const root = new WeightScope(tensors);
  const body = model.anchor === undefined ? root : root.rootedAt(model.anchor);
  const values = new Map(inputs.map(({ name, role }) => [role, g.input(name, 'INT32', ['batch', 'sequence'])]));
  const ids = values.get('input_ids') ?? g.input('input_ids', 'INT32', ['batch', 'sequence']);
  const hidden = model.hidden(g, body, { ids, typeIds: values.get('token_type_ids') }, head.wantedTokens);
  for (const [index, value] of head.apply(g, root, body, hidden).entries()) {
    const output = head.outputs[index];
    if (output !== undefined) g.output(output.name, value);
  }
  return { graph: g.build(), unreadTensors: root.unread() };
}
