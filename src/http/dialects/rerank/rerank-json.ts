import type { RerankResult } from '../../../contracts/engine.ts';
import { finiteJson } from '../../finite-json.ts';
import { cohereMeta } from '../cohere/meta.ts';
import { listJson } from '../list-json.ts';
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
  yield '{"object":"rerank","results":';
  yield* listJson(result.results, ({ score, index }) => {
    const number = finiteJson(score, `Model '${result.model}', documents[${index}]`);
    const document = documentJson === undefined ? '' : `,"document":${documentJson(index)}`;
    return `{"relevance_score":${number},"index":${index}${document}}`;
  });
  const meta = apiVersion === undefined ? '' : `,"meta":${JSON.stringify(cohereMeta(apiVersion, { search_units: 1 }))}`;
  yield `,"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}${meta}}`;
}
