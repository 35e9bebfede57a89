import type { DenseVector, EmbeddingDtype, EmbedResult } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { listJson } from '../list-json.ts';
import { vectorJson } from '../vector-json.ts';
import type { EmbeddingType } from './embed-schema.ts';
import { cohereMeta } from './meta.ts';

export interface EmbedEnvelope {
  readonly version: '1' | '2';
  readonly texts: readonly string[];
  /** `undefined`: a plain list of float vectors, which only the first version knows. */
  readonly types: readonly EmbeddingType[] | undefined;
  readonly id: string;
}

/** The dtype that a type of embedding is printed from. */
export function dtypeOf(type: EmbeddingType): EmbeddingDtype {
  return type === 'float' || type === 'base64' ? 'float32' : type;
}

/** The reply's JSON text, one piece per vector. Throws `run_failed` at a number that JSON cannot hold. */
export function* cohereEmbedJson(result: EmbedResult, { version, texts, types, id }: EmbedEnvelope): Generator<string> {
  const kind = types === undefined ? 'embeddings_floats' : 'embeddings_by_type';
  yield `{${version === '1' ? `"response_type":"${kind}",` : ''}"id":"${id}","embeddings":`;
  if (types === undefined) yield* vectorsJson(result, 'float');
  else {
    for (const [index, type] of types.entries()) {
      yield `${index === 0 ? '{' : ','}"${type}":`;
      yield* vectorsJson(result, type);
    }
    yield '}';
  }
  const meta = cohereMeta(version, { input_tokens: result.tokens });
  yield `,"texts":${JSON.stringify(texts)},"meta":${JSON.stringify(meta)}}`;
}

function vectorsJson(result: EmbedResult, type: EmbeddingType): Generator<string> {
  const format = type === 'base64' ? 'base64' : 'float';
  return listJson(vectorsOf(result, dtypeOf(type)), (vector, index) =>
    vectorJson(vector, format, `Model '${result.model}', texts[${index}]`),
  );
}

function vectorsOf({ dense }: EmbedResult, wanted: EmbeddingDtype): readonly DenseVector[] {
  const found = dense.find(({ dtype }) => dtype === wanted);
  if (found === undefined) throw new ServiceError('internal_error', `Expected vectors of ${wanted}, got none`);
  return found.vectors;
}
