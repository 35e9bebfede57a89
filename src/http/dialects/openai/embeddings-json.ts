import type { EmbedResult } from '../../../contracts/engine.ts';
import { sparsePairsJson, sparseTokensJson } from '../sparse-json.ts';
import { usageJson } from '../usage.ts';
import { type EncodingFormat, tokenVectorsJson, vectorJson } from '../vector-json.ts';

export interface EmbeddingsEnvelope {
  readonly encodingFormat: EncodingFormat;
  readonly sparseFormat: 'pairs' | 'tokens';
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/**
 * The reply's JSON text, one piece per text. A pooled vector is the `embedding`; so are the vectors of each token where
 * there is no pooled one, as from the original. Throws `run_failed` at a number that JSON cannot hold.
 */
export function* embeddingsJson(result: EmbedResult, envelope: EmbeddingsEnvelope): Generator<string> {
  const { encodingFormat: format, sparseFormat, id, created } = envelope;
  const dense = result.dense[0]?.vectors ?? [];
  const isPooled = dense.length > 0;
  const count = Math.max(dense.length, result.sparse.length, result.colbert.length);
  yield '{"object":"list","data":[';
  for (let index = 0; index < count; index += 1) {
    const name = `Model '${result.model}', input[${index}]`;
    const fields = ['"object":"embedding"'];
    const pooled = dense[index];
    const sparse = result.sparse[index];
    const colbert = result.colbert[index];
    if (pooled !== undefined) fields.push(`"embedding":${vectorJson(pooled, format, name)}`);
    if (colbert !== undefined) {
      const key = isPooled ? 'colbert_vecs' : 'embedding';
      fields.push(`"${key}":${tokenVectorsJson(colbert, format, name)}`);
    }
    if (sparse !== undefined) {
      fields.push(`"sparse":${sparseFormat === 'tokens' ? sparseTokensJson(sparse) : sparsePairsJson(sparse)}`);
    }
    yield `${index === 0 ? '' : ','}{${fields.join(',')},"index":${index}}`;
  }
  yield `],"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}}`;
}
