import type { Precision, Quality, Task } from './compiled-model.ts';
import type { RequestWork } from './request-work.ts';
import type { Token, Truncation } from './tokenizer.ts';

export interface RequestContext {
  /** Aborts when the client has gone away, or when the time limit is over; its reason is a `ServiceError`. */
  readonly signal: AbortSignal;
  /** When the time limit is over, in ms on the clock of `performance.now()`; `undefined` without one. */
  readonly deadlineMs?: number | undefined;
  /** False: the answer is computed, whatever was computed before, and is not kept. */
  readonly cache?: boolean | undefined;
  /** Whether the client may use a model, by its served name; all of them when absent. */
  readonly mayUse?: ((servedName: string) => boolean) | undefined;
  /** Gets what becomes known of the request's work. */
  readonly work?: RequestWork | undefined;
}

/** What a request may name: a task of a model, or a kind of input that no text model takes. */
export type Capability = Task | 'image_embed' | 'audio_embed';

export interface ModelRequest {
  /** Served name; `undefined` when the client named none. */
  readonly model: string | undefined;
  /** What is meant without a name: the `only` model that can do it (the default), or the `first`. */
  readonly unnamed?: 'only' | 'first';
  /** Field of the request that holds the texts, for messages. */
  readonly param?: string;
}

/** A text, or ids of the model's vocabulary exactly as they enter it, special tokens included. */
export type TextInput = string | readonly number[];

/** What stands before each text: a prompt of the model by its name, by what the text is for, or a text of its own. */
export type PromptChoice =
  | { readonly text: string }
  | { readonly name: string }
  | { readonly inputType: 'query' | 'document' | 'classification' | 'clustering' };

export interface TextsRequest extends ModelRequest {
  readonly texts: readonly TextInput[];
  /** None where it is absent. */
  readonly prompt?: PromptChoice | undefined;
  /** The model's own side where it is absent. */
  readonly truncation?: Truncation | undefined;
}

/** What a vector's numbers are: float32, a byte for each, or a bit for each (eight to a byte). */
export type EmbeddingDtype = 'float32' | 'int8' | 'uint8' | 'binary' | 'ubinary';

/** `[dim]`; the packed ones `[ceil(dim / 8)]`. */
export type DenseVector = Float32Array | Int8Array | Uint8Array;

/** A pooled vector, weights over the vocabulary (SPLADE, BGE-M3), a vector for each token (ColBERT, BGE-M3). */
export type EmbeddingOutput = 'dense' | 'sparse' | 'colbert';

export interface EmbedRequest extends TextsRequest {
  /** Where it is absent: `dense`, or `colbert` of a model that has nothing else. */
  readonly outputs?: readonly EmbeddingOutput[] | undefined;
  /** Cuts each vector to its first numbers and normalises again; `undefined` or 0 keeps all. */
  readonly dimensions?: number | undefined;
  /** Gives a vector length 1, or leaves it as the model's own modules make it; where it is absent, only a cut one gets it. */
  readonly normalize?: boolean | undefined;
  /** Of the pooled vectors, at least one; the model's setting where it is absent. */
  readonly dtypes?: readonly EmbeddingDtype[] | undefined;
  /** Whether sparse vectors name the entries of the vocabulary. */
  readonly tokenTexts?: boolean | undefined;
}

export interface DenseVectors {
  readonly dtype: EmbeddingDtype;
  /** One for each text, in order. */
  readonly vectors: readonly DenseVector[];
}

/** Entries of the vocabulary that weigh more than nothing, by id, ascending; all arrays have one length. */
export interface SparseVector {
  readonly ids: Int32Array;
  readonly weights: Float32Array;
  /** The entries, where the request asks for them. */
  readonly tokens?: readonly string[];
}

/** A vector for each token of a text, row-major: `[tokens, width]`. */
export interface TokenVectors {
  readonly width: number;
  readonly numbers: Float32Array;
}

/** Each list has one entry for each text, in order; those that were not asked for are empty. */
export interface EmbedResult {
  /** Served name of the model that answered. */
  readonly model: string;
  /** One for each dtype, in the order of the request. */
  readonly dense: readonly DenseVectors[];
  readonly sparse: readonly SparseVector[];
  readonly colbert: readonly TokenVectors[];
  /** Ids that entered the model: special tokens included, after truncation. */
  readonly tokens: number;
}

export interface RerankRequest extends ModelRequest {
  readonly query: string;
  readonly documents: readonly string[];
  /** Keep the best `topN`; `undefined` keeps all. */
  readonly topN?: number | undefined;
  /** Logits instead of scores in 0..1. */
  readonly rawScores: boolean;
  readonly truncation?: Truncation | undefined;
}

export interface RankedDocument {
  /** Position in the request's documents. */
  readonly index: number;
  readonly score: number;
}

export interface RerankResult {
  readonly model: string;
  /** By logit, descending; ties in the order of the request. */
  readonly results: readonly RankedDocument[];
  readonly tokens: number;
}

export interface ClassifyRequest extends ModelRequest {
  /** Texts, or pairs of texts. */
  readonly texts: readonly (string | readonly [string, string])[];
  /** Logits instead of scores. */
  readonly rawScores: boolean;
  readonly truncation?: Truncation | undefined;
  /** Whether a reranker's score counts as a label, too. */
  readonly rerankers?: boolean;
}

export interface LabelScore {
  readonly label: string;
  readonly score: number;
}

export interface ClassifyResult {
  readonly model: string;
  /** For each text, in order, every label of the model: best first. */
  readonly results: readonly (readonly LabelScore[])[];
  readonly tokens: number;
}

export interface TokenizeRequest extends ModelRequest {
  readonly texts: readonly string[];
  readonly prompt?: PromptChoice | undefined;
  readonly addSpecialTokens: boolean;
}

export interface TokenizeResult {
  readonly model: string;
  readonly texts: readonly (readonly Token[])[];
}

export interface DecodeRequest extends ModelRequest {
  readonly ids: readonly (readonly number[])[];
  readonly skipSpecialTokens: boolean;
}

export interface DecodeResult {
  readonly model: string;
  readonly texts: readonly string[];
}

/** What is known of a model once it serves. */
export interface ModelDetails {
  /** `model_type` of the checkpoint. */
  readonly architecture: string;
  readonly precision: string;
  /** The longest item in tokens, special ones included. */
  readonly maxSequenceLength: number;
  readonly embeddingDtype: EmbeddingDtype;
  /** Numbers of a pooled vector; `undefined` when the model makes none. */
  readonly dimensions: number | undefined;
  /** Names of the logits; empty when the model has none. */
  readonly labels: readonly string[];
  /** Names of the model's prompts. */
  readonly promptNames: readonly string[];
}

/**
 * `unloaded`: not in memory, a request loads it. `loading`: it is being loaded, at the start or for a request. `failed`: it did
 * not load, or ceased to work.
 */
export type ModelState = 'unloaded' | 'loading' | 'ready' | 'failed';

export interface ModelStatus {
  readonly servedName: string;
  readonly modelId: string;
  /** Commit of its repository; `undefined` for local folders and bundled copies, and until it is known. */
  readonly revision: string | undefined;
  readonly state: ModelState;
  /** Whether requests load it when it is not in memory: a server is ready without it. */
  readonly onDemand: boolean;
  /** Why it failed, in one line. */
  readonly reason: string | undefined;
  /** Whether it has failed and is tried again by itself. */
  readonly recovers: boolean;
  /** In how many seconds that is; `undefined` where it is not known. */
  readonly retryInS: number | undefined;
  /** Empty until the model's files have been read. */
  readonly capabilities: readonly Task[];
  readonly engine: string;
  /** `undefined` until the graph is there. */
  readonly precision: Precision | undefined;
  /** How a quantised graph is quantised. */
  readonly variant: string | undefined;
  /** Of a graph that was compared with float32. */
  readonly quality: Quality | undefined;
  readonly batchSize: number;
  readonly queuedItems: number;
  readonly queuedTokens: number;
  /** How many may wait. */
  readonly maxQueuedItems: number;
  readonly runningItems: number;
  /** `undefined` until it serves. */
  readonly details: ModelDetails | undefined;
}

/** What the loaded models can do. Rejects with `ServiceError`. */
export interface Engine {
  /** The vectors of texts, of each kind that is asked for, in one run. A token's vectors are of the plain text: no markers. */
  embed(request: EmbedRequest, context: RequestContext): Promise<EmbedResult>;
  rerank(request: RerankRequest, context: RequestContext): Promise<RerankResult>;
  classify(request: ClassifyRequest, context: RequestContext): Promise<ClassifyResult>;
  tokenize(request: TokenizeRequest, context: RequestContext): Promise<TokenizeResult>;
  decode(request: DecodeRequest, context: RequestContext): Promise<DecodeResult>;
  /**
   * The model that is meant, if it serves. Throws what `embed` would for one that is not there, does not serve yet, or has
   * not the capability; any will do where that is `undefined`.
   */
  requireCapability(
    request: ModelRequest,
    capability: Capability | undefined,
    context: Pick<RequestContext, 'mayUse'>,
  ): ModelStatus;
  models(): readonly ModelStatus[];
}
