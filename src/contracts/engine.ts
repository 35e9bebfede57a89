import type { Precision, Quality, Task } from './compiled-model.ts';

export interface RequestContext {
  /** Aborts when the client has gone away, or when the time limit is over; its reason is a `ServiceError`. */
  readonly signal: AbortSignal;
  /** When the time limit is over, in ms on the clock of `performance.now()`; `undefined` without one. */
  readonly deadlineMs?: number | undefined;
  /** False: the answer is computed, whatever was computed before, and is not kept. */
  readonly cache?: boolean | undefined;
}

export interface EmbedRequest {
  /** Served name; `undefined` when the client named none. */
  readonly model: string | undefined;
  readonly texts: readonly string[];
  /** Cuts each vector to its first numbers and normalises again; `undefined` or 0 keeps all. */
  readonly dimensions?: number | undefined;
}

export interface EmbedResult {
  /** Served name of the model that answered. */
  readonly model: string;
  /** One float32 vector per text, in order; `[dim]`. */
  readonly vectors: readonly Float32Array[];
  /** Ids that entered the model: special tokens included, after truncation. */
  readonly tokens: number;
}

export interface RerankRequest {
  readonly model: string | undefined;
  readonly query: string;
  readonly documents: readonly string[];
  /** Keep the best `topN`; `undefined` keeps all. */
  readonly topN?: number | undefined;
  /** Logits instead of scores in 0..1. */
  readonly rawScores: boolean;
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

export interface ClassifyRequest {
  readonly model: string | undefined;
  readonly texts: readonly string[];
  /** Logits instead of scores. */
  readonly rawScores: boolean;
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

export interface TextsRequest {
  readonly model: string | undefined;
  readonly texts: readonly string[];
}

/** Entries of the vocabulary that weigh more than nothing, by id, ascending; both arrays have one length. */
export interface SparseVector {
  readonly ids: Int32Array;
  readonly weights: Float32Array;
}

export interface SparseResult {
  readonly model: string;
  /** One for each text, in order. */
  readonly vectors: readonly SparseVector[];
  readonly tokens: number;
}

/** A vector for each token of a text, row-major: `[tokens, width]`. */
export interface TokenVectors {
  readonly width: number;
  readonly numbers: Float32Array;
}

export interface TokenVectorsResult {
  readonly model: string;
  /** One for each text, in order. */
  readonly texts: readonly TokenVectors[];
  readonly tokens: number;
}

export type ModelState = 'loading' | 'ready' | 'failed';

export interface ModelStatus {
  readonly servedName: string;
  readonly modelId: string;
  /** Commit of its repository; `undefined` for local folders and bundled copies, and until it is known. */
  readonly revision: string | undefined;
  readonly state: ModelState;
  /** Why it failed, in one line. */
  readonly reason: string | undefined;
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
  readonly runningItems: number;
}

/** What the loaded models can do. Rejects with `ServiceError`. */
export interface Engine {
  embed(request: EmbedRequest, context: RequestContext): Promise<EmbedResult>;
  rerank(request: RerankRequest, context: RequestContext): Promise<RerankResult>;
  classify(request: ClassifyRequest, context: RequestContext): Promise<ClassifyResult>;
  /** Sparse vectors over the vocabulary (SPLADE, BGE-M3). */
  embedSparse(request: TextsRequest, context: RequestContext): Promise<SparseResult>;
  /** A vector for each token (ColBERT, BGE-M3), of the plain text: no markers, no expansion. */
  embedTokens(request: TextsRequest, context: RequestContext): Promise<TokenVectorsResult>;
  models(): readonly ModelStatus[];
}
