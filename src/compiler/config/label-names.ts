import type { JsonObject } from '../../contracts/json.ts';

/**
 * The name of each label, in the order of the logits, as the reference has them: `id2label` wins, then `num_labels` with names
 * made of numbers; a config with neither has two labels.
 */
export function labelNames({ id2label, num_labels: numLabels }: JsonObject): readonly string[] {
  const names = typeof id2label === 'object' && id2label !== null ? new Map(Object.entries(id2label)) : undefined;
  const count = names?.size ?? (typeof numLabels === 'number' ? numLabels : 2);
  return Array.from({ length: count }, (_, index) => {
    const name = names?.get(String(index));
    return typeof name === 'string' ? name : `LABEL_${index}`;
  });
}
