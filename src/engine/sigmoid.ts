/** The logistic function, in float64: in float32 all strongly relevant documents would share the score 1. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
