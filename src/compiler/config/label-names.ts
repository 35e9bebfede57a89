import type { JsonObject } from '../../contracts/json.ts';

/**
 * The name of each label, in the order of the logits, as the reference has them: `id2label` wins, then `num_labels` with names
 * made of numbers; a config with neither has as many labels as the checkpoint's own matrix has
 * `rows`, or two without one.
 */
export function labelNames({ id2label, num_labels: numLabels }: JsonObject, rows: number): readonly string[] {
  const names = typeof id2label === 'object' && id2label !== null ? new Map(Object.entries(id2label)) : undefined;
  const count = names?.size ?? (typeof numLabels === 'number' ? numLabels : rows || 2);
  return Array.from({ length: count }, (_, index) => {
    const name = names?.get(String(index));
    return typeof name === 'string' ? name : `LABEL_${index}`;
  });
}
