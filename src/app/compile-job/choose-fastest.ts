import { variantsFor } from '../../compiler/quantization/registry.ts';
import { FASTEST_LIMITS, isWithin } from '../../tuning/judge-quality.ts';
import type { Candidate, Choice, ChoiceContext } from './choice.ts';

/** A graph that is faster by less than this is not worth any loss. */
const LEAST_GAIN = 1.05;

/** The fastest graph on this machine of those that stay so close to float32 that nobody notices. */
export async function chooseFastest({ products, request, trials }: ChoiceContext): Promise<Choice> {
  const candidates: Candidate[] = [];
  for (const variant of variantsFor(request)) {
    const candidate = await trials.tryCandidate({ name: variant.name, variant, products });
    if (isWithin(candidate.quality, FASTEST_LIMITS)) candidates.push(candidate);
    else await candidate.trial.remove();
  }
  if (candidates.length === 0) return { kept: undefined };
  const { float32Ms, candidatesMs } = await trials.timeBesideFloat32(candidates);
  const fastestMs = Math.min(...candidatesMs);
  const kept = float32Ms / fastestMs >= LEAST_GAIN ? candidates[candidatesMs.indexOf(fastestMs)] : undefined;
  for (const candidate of candidates) if (candidate !== kept) await candidate.trial.remove();
  return { kept };
}
