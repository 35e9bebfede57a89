import type { PairPrompt } from './pair-prompt.ts';
import type { StaticTokens } from './static-tokens.ts';

/** What a model is for. Also the capability names of the wire format. */
export type Task = 'embed' | 'rerank' | 'classify' | 'sparse' | 'colbert';

/** What the weights are stored in. On CPU float16 and bfloat16 are computed in float32. */
export type Precision = 'float32' | 'float16' | 'bfloat16' | 'int8';

/** What may be asked for: a precision, or the fastest graph whose results stay close to float32. */
export type Dtype = Precision | 'fastest';

/**
 * How far a graph's results are from those of float32, over the texts of the quality check: cosines of what is a vector or
 * a list of weights, differences of what is a score.
 */
export interface Quality {
  readonly texts: number;
  readonly leastCosine?: number;
  readonly medianCosine?: number;
  readonly greatestScoreDifference?: number;
}

/** A quantised graph that was compared with float32 before one graph was chosen. */
export interface TriedGraph {
  /** How it is quantised. */
  readonly variant: string;
  readonly quality: Quality;
  /** Its speed as a multiple of float32's, on the machine that compiled it; only where the graphs were timed. */
  readonly speed?: number;
}

/** How a graph was made, for whoever runs the server. */
export interface Compilation {
  readonly milliseconds: number;
  /** The most memory that the compile process held, files that it mapped included; missing where the system does not say. */
  readonly peakBytes?: number;
  /** Empty where nothing was to be chosen. */
  readonly tried: readonly TriedGraph[];
}

/** What a graph input carries; `name` is the input's name in the graph. All inputs are int32 `[batch, sequence]`. */
export interface GraphInput {
  readonly name: string;
  readonly role: 'input_ids' | 'token_type_ids';
}

/**
 * What a graph output carries: a pooled vector, a logit for each label, weights of the vocabulary's entries (SPLADE: one for
 * each entry; BGE-M3: one for each token, which weighs the entry that the token is), a vector for each token.
 */
export type OutputRole = 'embedding' | 'logits' | 'sparse' | 'colbert';

/** A float32 output: `[batch, width]` per item, `[batch, sequence - firstToken, width]` per token. */
export interface GraphOutput {
  /** Name in the graph. */
  readonly name: string;
  readonly role: OutputRole;
  readonly per: 'item' | 'token';
  readonly width: number;
  /** The token that the first row of an item is for: those before it have none. 0 per item. */
  readonly firstToken: number;
  /** Ids of entries that a sparse result leaves out; empty for other roles. */
  readonly ignoredIds: readonly number[];
}

/** What makes scores of logits. */
export type ScoreFunction = 'softmax' | 'sigmoid' | 'none';

/** How the logits of a sequence classification are read. */
export interface Classification {
  /** One name for each logit. */
  readonly labels: readonly string[];
  /** The model's own choice; a reranker's scores may be asked for in another way. */
  readonly scoreFunction: ScoreFunction;
}

/**
 * A graph on disk, ready for a session, and what one must know to feed it. Plain JSON: it is stored beside the graph and
 * crosses process boundaries. Made by `compiler`, of a checkpoint or of a repository's own ONNX file.
 */
export interface CompiledModel {
  /** Absolute path of the ONNX file; its weights are external data beside it. */
  readonly graphPath: string;
  /** Changes whenever the results could: checkpoint, compiler, runtime, precision. */
  readonly contentKey: string;
  /** What it can do; the first is what it was made for. At least one. */
  readonly tasks: readonly Task[];
  readonly precision: Precision;
  /** How its linear layers are quantised; only of a graph that is. */
  readonly variant?: string;
  /** Only where the graph was compared with float32. */
  readonly quality?: Quality;
  /** What whoever runs the server must know about how it differs from what was asked for: one sentence with figures. */
  readonly warning?: string;
  /** `model_type` of the checkpoint. */
  readonly architecture: string;
  readonly inputs: readonly GraphInput[];
  /** At least one, each with a role of its own. */
  readonly outputs: readonly GraphOutput[];
  /** Only beside logits. */
  readonly classification?: Classification;
  /** Where pairs are asked about in a prompt instead of being joined by the tokenizer. */
  readonly pairPrompt?: PairPrompt;
  /** Only of a table of vectors without a transformer. */
  readonly staticTokens?: StaticTokens;
  /** Ids are valid in `0 <= id < vocabularySize`. */
  readonly vocabularySize: number;
  /** The longest sequence the graph can take, in tokens (its position table). */
  readonly maxPositions: number;
  /**
   * Its products of signed 8-bit numbers need a session that widens them where the CPU's own would saturate: x64 without
   * VNNI. Missing where they have the room, or there are none.
   */
  readonly wideInt8?: boolean;
  /** Of a graph that a compile process made. */
  readonly compilation?: Compilation;
  /** Tensors of the checkpoint that nothing read, to be reported at start. */
  readonly unreadTensors: readonly string[];
}
