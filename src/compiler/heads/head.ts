import type { Classification, GraphOutput, Task } from '../../contracts/compiled-model.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { PairPrompt } from '../../contracts/pair-prompt.ts';
import type { CheckpointTensor } from '../../formats/checkpoint.ts';
import type { TextModel, WantedTokens } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

/** What follows the last hidden state, with the sizes of one model. */
export interface Head {
  /** What a model with this head can do. */
  readonly tasks: readonly Task[];
  readonly outputs: readonly GraphOutput[];
  readonly wantedTokens: WantedTokens;
  /** Only beside logits. */
  readonly classification?: Classification;
  /** Only where pairs enter the model in a prompt. */
  readonly pairPrompt?: PairPrompt;
  /** `hidden` `[batch, tokens, dim]` to a value for each output; the scopes as in `Classifier`. */
  apply(g: GraphBuilder, root: WeightScope, body: WeightScope, hidden: Value): readonly Value[];
}

/** Tensors of the checkpoint, by their full names. */
export type Tensors = ReadonlyMap<string, Pick<CheckpointTensor, 'dims'>>;

/**
 * Reads a model's files into its head; sizes that no file states are those of its tensors. Throws
 * `unsupported_architecture`, `invalid_model_folder` or `invalid_checkpoint`.
 */
export type ConfigureHead = (folder: ModelFolder, model: TextModel, tensors: Tensors) => Head;
