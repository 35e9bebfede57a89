import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { TextModel, WantedTokens } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

/** What follows the last hidden state, with the sizes of one model. */
export interface Head {
  readonly outputName: string;
  readonly outputWidth: number;
  readonly wantedTokens: WantedTokens;
  /** `hidden` `[batch, tokens, dim]` to `[batch, outputWidth]`; the scopes as in `Classifier`. */
  apply(g: GraphBuilder, root: WeightScope, body: WeightScope, hidden: Value): Value;
}

/** Reads a model's files into its head. Throws `unsupported_architecture` or `invalid_model_folder`. */
export type ConfigureHead = (folder: ModelFolder, model: TextModel) => Head;
