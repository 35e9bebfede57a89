/**
 * Products of a weight and an activation that a step may take: two to four seconds of float32 on two cores. What a model's
 * linear layers hold decides how many tokens that is: 9,500 of a model with 21 million weights, 670 of one with 300 million.
 */
const PRODUCTS_BUDGET = 2e11;
/** However large the model: fewer texts than these say nothing. */
const LEAST_TEXTS = 24;

/**
 * Those texts that a model has time for: all, or as many as the budget allows, taken at even distances. `tokens` is the length
 * of each text, `weights` what a token meets in the linear layers. Returns indices.
 */
export function selectTexts(tokens: readonly number[], weights: number): readonly number[] {
  const total = tokens.reduce((sum, length) => sum + length, 0);
  const affordable = PRODUCTS_BUDGET / Math.max(weights, 1);
  const share = Math.min(1, affordable / Math.max(total, 1));
  const count = Math.min(tokens.length, Math.max(LEAST_TEXTS, Math.floor(tokens.length * share)));
  return Array.from({ length: count }, (_, index) => Math.floor((index * tokens.length) / count));
}
