import type { EmbedResult } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { base64Text, floatText } from '../../vector-text.ts';
import { usageJson } from '../usage.ts';

export interface EmbeddingsEnvelope {
  readonly encodingFormat: 'float' | 'base64';
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/**
 * The reply's JSON text, one piece per vector. Throws `run_failed` at a number that JSON cannot hold.
 */
export function* embeddingsJson(result: EmbedResult, envelope: EmbeddingsEnvelope): Generator<string> {
  const print = envelope.encodingFormat === 'base64' ? base64Text : floatText;
  yield '{"object":"list","data":[';
  for (const [index, vector] of result.vectors.entries()) {
    if (!allFinite(vector)) throw notFinite(result.model, index);
    yield `${index === 0 ? '' : ','}{"object":"embedding","embedding":${print(vector)},"index":${index}}`;
  }
  const { id, created } = envelope;
  yield `],"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}}`;
}

/** Anything times 0 is 0, except what is not finite. */
function allFinite(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * 0;
  return sum === 0;
}

function notFinite(model: string, index: number): ServiceError {
  const message = `Model '${model}': expected finite numbers, got a vector with NaN or infinity for input[${index}]`;
  return new ServiceError('run_failed', message);
}
