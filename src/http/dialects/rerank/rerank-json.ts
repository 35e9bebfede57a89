import type { RerankResult } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { cohereMeta } from '../cohere/meta.ts';
import { usageJson } from '../usage.ts';

export interface RerankEnvelope {
  /** JSON text of the document at an index of the request; `undefined` leaves the key out. */
  readonly documentJson: ((index: number) => string) | undefined;
  /** With it, the reply has Cohere's `meta`. */
  readonly apiVersion: string | undefined;
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/** The reply's JSON text, one piece per result. Throws `run_failed` at a score that JSON cannot hold. */
export function* rerankJson(result: RerankResult, envelope: RerankEnvelope): Generator<string> {
  const { documentJson, apiVersion, id, created } = envelope;
  let separator = '';
  yield '{"object":"rerank","results":[';
  for (const { score, index } of result.results) {
    if (!Number.isFinite(score)) throw notFinite(result.model, index);
    const document = documentJson === undefined ? '' : `,"document":${documentJson(index)}`;
    yield `${separator}{"relevance_score":${score},"index":${index}${document}}`;
    separator = ',';
  }
  const meta = apiVersion === undefined ? '' : `,"meta":${JSON.stringify(cohereMeta(apiVersion, { search_units: 1 }))}`;
  yield `],"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}${meta}}`;
}

function notFinite(model: string, index: number): ServiceError {
  return new ServiceError('run_failed', `Model '${model}': expected a finite score, got none for documents[${index}]`);
}
