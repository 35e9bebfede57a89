import { normedValues } from '../../compiler/quantization/normed-values.ts';
import { variantsFor } from '../../compiler/quantization/registry.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { describeQuality, INT8_LIMITS, isWithin } from '../../tuning/judge-quality.ts';
import type { Candidate, CandidateParts, Choice, ChoiceContext } from './choice.ts';

/** The layers that may be the ones a model cannot do without, each with a name for what is quantised without them. */
function sensitiveParts({ graph, products }: ChoiceContext): readonly Omit<CandidateParts, 'variant'>[] {
  const normed = normedValues(graph);
  return [
    { name: 'behind-norms', products: products.filter(({ x }) => normed.has(x)) },
    { name: 'not-behind-norms', products: products.filter(({ x }) => !normed.has(x)) },
  ].filter((part) => part.products.length > 0 && part.products.length < products.length);
}

/** Of those that are good enough the closest to float32. */
async function keepClosest(candidates: readonly Candidate[]): Promise<Candidate | undefined> {
  const loss = ({ quality }: Candidate) => (quality.greatestScoreDifference ?? 0) + 1 - (quality.leastCosine ?? 1);
  const [best] = candidates.filter(({ quality }) => isWithin(quality, INT8_LIMITS)).sort((a, b) => loss(a) - loss(b));
  for (const other of candidates) if (other !== best) await other.trial.remove();
  return best;
}

/**
 * The graph for `int8`: all layers in 8 bits where the quality check allows it; otherwise, by steps, the half of the layers that
 * costs the most in float32, then all of them.
 */
export async function chooseInt8(context: ChoiceContext): Promise<Choice> {
  const { products, request, trials } = context;
  const [variant] = variantsFor(request);
  if (variant === undefined) throw new ServiceError('compile_failed', 'no variant of int8 is right on this CPU');
  const full = await trials.tryCandidate({ name: variant.name, variant, products });
  if (isWithin(full.quality, INT8_LIMITS)) return { kept: full };
  const figures = describeQuality(full.quality);
  if (request.onQualityLoss === 'keep') {
    return { kept: full, warning: `its int8 graph fails the quality check and is served nevertheless: ${figures}.` };
  }
  if (request.onQualityLoss === 'refuse') {
    const { leastCosine, medianCosine, greatestScoreDifference } = INT8_LIMITS;
    const expected = `cosine at least ${leastCosine}, median ${medianCosine}, scores within ${greatestScoreDifference}`;
    const message = `the int8 graph fails the quality check, expected ${expected}; got ${figures}`;
    throw new ServiceError('compile_failed', message);
  }
  await full.trial.remove();
  const partial: Candidate[] = [];
  for (const part of sensitiveParts(context)) {
    const name = `${variant.name}-${part.name}`;
    partial.push(await trials.tryCandidate({ name, variant, products: part.products }));
  }
  const kept = await keepClosest(partial);
  const served =
    kept === undefined ? 'in float32' : `with part of its layers in float32: ${describeQuality(kept.quality)}`;
  return { kept, warning: `its int8 graph fails the quality check (${figures}); it is served ${served}.` };
}
