import type { ClassifyResult } from '../../../contracts/engine.ts';
import { labelsJson } from '../labels-json.ts';
import { listJson } from '../list-json.ts';
import { usageJson } from '../usage.ts';

export interface ClassifyEnvelope {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
}

/** The reply's JSON text, one piece per text. Throws `run_failed` at a score that JSON cannot hold. */
export function* classifyJson(result: ClassifyResult, { id, created }: ClassifyEnvelope): Generator<string> {
  yield '{"object":"classify","data":';
  yield* listJson(result.results, (labels, index) => labelsJson(labels, `Model '${result.model}', input[${index}]`));
  yield `,"model":${JSON.stringify(result.model)},"usage":${usageJson(result.tokens)},"id":"${id}","created":${created}}`;
}
