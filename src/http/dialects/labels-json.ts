import type { LabelScore } from '../../contracts/engine.ts';
import { finiteJson } from '../finite-json.ts';

/** The labels of a text with their scores; as JSON Schema. */
export const LABELS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['score', 'label'],
    properties: {
      score: {
        type: 'number',
        description: 'In 0..1, unless the model is a regression or `raw_scores` asks for logits.',
      },
      label: { type: 'string' },
    },
  },
} as const;

/** `name` says whose they are. Throws `run_failed` at a score that JSON cannot hold. */
export function labelsJson(labels: readonly LabelScore[], name: string): string {
  const entries = labels.map(
    ({ score, label }) => `{"score":${finiteJson(score, name)},"label":${JSON.stringify(label)}}`,
  );
  return `[${entries.join(',')}]`;
}
