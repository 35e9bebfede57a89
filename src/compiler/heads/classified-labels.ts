import type { TextModel } from '../architectures/architecture.ts';
import type { Tensors } from './head.ts';

/** How many labels the family's sequence classification has in a checkpoint: 0 where it has none. */
export function classifiedLabels({ classifier }: TextModel, tensors: Tensors): number {
  return classifier === undefined ? 0 : (tensors.get(classifier.anchor)?.dims[0] ?? 0);
}
