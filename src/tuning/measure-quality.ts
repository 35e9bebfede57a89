import type { CompiledModel, Quality, ScoreFunction } from '../contracts/compiled-model.ts';
import type { TextOutputs } from './read-outputs.ts';

/** 1 where both are nothing but zeros; a number that is not finite is as far away as can be. */
function cosine(a: Float32Array, b: Float32Array): number {
  let [product, aa, bb] = [0, 0, 0];
  a.forEach((value, index) => {
    const other = b[index] ?? 0;
    product += value * other;
    aa += value * value;
    bb += other * other;
  });
  if (aa === 0 && bb === 0) return 1;
  const result = product / Math.sqrt(aa * bb);
  return Number.isFinite(result) ? result : -1;
}

function scores(logits: Float32Array, scoreFunction: ScoreFunction): readonly number[] {
  const values = [...logits];
  if (scoreFunction === 'softmax' && values.length > 1) {
    const largest = Math.max(...values);
    const powers = values.map((logit) => Math.exp(logit - largest));
    const sum = powers.reduce((total, power) => total + power, 0);
    return powers.map((power) => power / sum);
  }
  // Where a model gives logits as they are, the sigmoid is what a client may ask for: a difference in it has a bound.
  return values.map((logit) => 1 / (1 + Math.exp(-logit)));
}

function scoreDifference(a: Float32Array, b: Float32Array, scoreFunction: ScoreFunction): number {
  const [expected, actual] = [scores(a, scoreFunction), scores(b, scoreFunction)];
  const differences = expected.map((score, index) => Math.abs(score - (actual[index] ?? 0)));
  return Math.max(...differences.map((difference) => (Number.isFinite(difference) ? difference : 1)));
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}

/** Compares what a graph gave for the texts of the check with what float32 gave, text by text and output by output. */
export function measureQuality(
  { outputs, classification }: Pick<CompiledModel, 'outputs' | 'classification'>,
  reference: readonly TextOutputs[],
  actual: readonly TextOutputs[],
): Quality {
  const cosines: number[] = [];
  const differences: number[] = [];
  for (const [text, expected] of reference.entries()) {
    for (const [index, { role }] of outputs.entries()) {
      const [a, b] = [expected[index] ?? new Float32Array(), actual[text]?.[index] ?? new Float32Array()];
      if (role === 'logits') differences.push(scoreDifference(a, b, classification?.scoreFunction ?? 'none'));
      else cosines.push(cosine(a, b));
    }
  }
  cosines.sort((a, b) => a - b);
  return {
    texts: reference.length,
    ...(cosines.length === 0 ? {} : { leastCosine: cosines[0] ?? 1, medianCosine: median(cosines) }),
    ...(differences.length === 0 ? {} : { greatestScoreDifference: Math.max(...differences) }),
  };
}
