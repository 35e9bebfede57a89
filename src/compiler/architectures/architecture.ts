import type { JsonObject } from '../../contracts/json.ts';
import type { StaticTokens } from '../../contracts/static-tokens.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { Weight } from '../weights/weight.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

/** What enters a text model. Sequences of a run have one length, so nothing is padded and nothing masked. */
export interface TextInputs {
  /** int32 `[batch, sequence]` */
  readonly ids: Value;
  /** int32 `[batch, sequence]`; `undefined` where every token has type 0. */
  readonly typeIds: Value | undefined;
}

/** Which positions of the last hidden state are asked for: a model may leave the others out, or not. */
export type WantedTokens = 'all' | 'first' | 'last';

/** Turns the last hidden state into logits, as one family of models does it. */
export interface Classifier {
  /** Name of the matrix that gives the logits, `[labels, any]`, counted from the checkpoint's top. */
  readonly anchor: string;
  readonly wantedTokens: WantedTokens;
  /**
   * `hidden` `[batch, wanted or all, dim]` to `[batch, labels]`. `root` is the checkpoint's top, where heads lie; `body`
   * is the model's own scope.
   */
  logits(g: GraphBuilder, root: WeightScope, body: WeightScope, hidden: Value, labels: number): Value;
}

/** The output layer of a masked language model, which gives each entry of the vocabulary a logit. */
export interface VocabularyHead {
  /** Name of a tensor that every checkpoint with this layer has, counted from its top. */
  readonly anchor: string;
  /** What stands before the output matrix: `hidden` `[batch, tokens, dim]` to `[batch, tokens, decoder dim]`. */
  transform(g: GraphBuilder, root: WeightScope, body: WeightScope, hidden: Value): Value;
  /** The output matrix `[vocabulary, decoder dim]` and its bias `[vocabulary]`, where it has one. */
  decoder(root: WeightScope, body: WeightScope): { readonly weight: Weight; readonly bias: Weight | undefined };
}

/** A text model with the sizes of one config. */
export interface TextModel {
  readonly hiddenSize: number;
  /** Ids are valid in `0 <= id < vocabularySize`. */
  readonly vocabularySize: number;
  /** The longest sequence, in tokens. */
  readonly maxPositions: number;
  /** Token types that the model tells apart; 1 where it tells none. */
  readonly tokenTypes: number;
  /**
   * Name of a tensor that every such checkpoint has, without prefix: it shows where the model's names begin; missing where
   * they begin at the top.
   */
  readonly anchor?: string;
  /** Returns the last hidden state, `[batch, sequence, dim]`, or `[batch, 1, dim]` where only one token is wanted. */
  hidden(g: GraphBuilder, w: WeightScope, inputs: TextInputs, wanted: WantedTokens): Value;
  /** `undefined` where the family has no sequence classification. */
  readonly classifier: Classifier | undefined;
  /** Missing where the family is not used for masked language models. */
  readonly vocabularyHead?: VocabularyHead;
  /** Only of a table of vectors without a transformer. */
  readonly staticTokens?: StaticTokens;
  /**
   * The matrix that turns hidden states into logits of the next token, `[vocabulary, dim]`; missing where the family is not
   * scored by them. The scopes as in `Classifier`.
   */
  outputMatrix?(root: WeightScope, body: WeightScope): Weight;
}

/** One family of models: `model_type` of config.json, and how a config becomes a model. */
export interface Architecture {
  readonly modelType: string;
  /**
   * For a family that shares its `model_type` with another: whether a config.json is of this one. Such a family is asked
   * before the one that has no `accepts`, which takes the rest.
   */
  accepts?(config: JsonObject): boolean;
  /** Throws `unsupported_architecture` or `invalid_model_folder` for a config whose results would not be right. */
  configure(config: JsonObject): TextModel;
}
