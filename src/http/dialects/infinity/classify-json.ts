import type { ClassifyResult } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { usageJson } from '../usage.ts';

export interface ClassifyEnvelope {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/** The reply's JSON text, one piece per text. Throws `run_failed` at a score that JSON cannot hold. */
export function* classifyJson(result: ClassifyResult, { id, created }: ClassifyEnvelope): Generator<string> {
  yield '{"object":"classify","data":[';
  for (const [index, scores] of result.results.entries()) {
    if (!scores.every(({ score }) => Number.isFinite(score))) throw notFinite(result.model, index);
    const labels = scores.map(({ score, label }) => `{"score":${score},"label":${JSON.stringify(label)}}`);
    yield `${index === 0 ? '' : ','}[${labels.join(',')}]`;
  }
  yield `],"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}}`;
}

function notFinite(model: string, index: number): ServiceError {
  return new ServiceError('run_failed', `Model '${model}': expected finite scores, got others for input[${index}]`);
}
