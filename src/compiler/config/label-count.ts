import type { JsonObject } from '../../contracts/json.ts';

/** As the reference counts: `id2label` wins, then `num_labels`; a config with neither has two labels. */
export function labelCount({ id2label, num_labels: numLabels }: JsonObject): number {
  if (typeof id2label === 'object' && id2label !== null) return Object.keys(id2label).length;
  return typeof numLabels === 'number' ? numLabels : 2;
}
