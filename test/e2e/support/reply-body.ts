type NotEmpty<Row> = readonly [Row, ...Row[]];

export interface EmbeddingRow {
  readonly index: number;
  readonly embedding: number[];
  readonly sparse: readonly { readonly index: number; readonly value: number }[];
  readonly colbert_vecs: readonly (readonly number[])[];
}

export interface RankedRow {
  readonly index: number;
  readonly relevance_score: number;
  readonly document: string | { readonly text: string };
}

/**
 * What the tests look into of embeddings, rankings and errors. A reply has some of it; what it has not is `undefined`, and the
 * expectation says so.
 */
export interface ReplyBody {
  readonly data: NotEmpty<EmbeddingRow>;
  readonly results: NotEmpty<RankedRow>;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null };
}

/** With `encoding_format: base64`. */
export interface Base64Body {
  readonly data: NotEmpty<{ readonly embedding: string }>;
}

interface ModelRow {
  readonly id: string;
  readonly state: string;
  readonly backend: string;
  readonly capabilities: readonly string[];
  readonly revision: string | null;
  readonly stats: { readonly queue_absolute: number; readonly results_pending: number };
  readonly quality: { readonly leastCosine: number };
}

interface ModelState {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly retry_in_s: number;
}

/** The same of `/models` and of `/ready`. */
export interface ModelsBody {
  readonly data: NotEmpty<ModelRow>;
  readonly models: NotEmpty<ModelState>;
}
