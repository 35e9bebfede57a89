import type { OpenedModel } from '../../compiler/open-model.ts';
import type { LinearProduct } from '../../compiler/quantization/linear-products.ts';
import type { Variant } from '../../compiler/quantization/variant.ts';
import type { Quality } from '../../contracts/compiled-model.ts';
import { measureQuality } from '../../tuning/measure-quality.ts';
import { readOutputs } from '../../tuning/read-outputs.ts';
import type { Calibration } from './calibrate.ts';
import { type GraphOnDisk, type TrialOptions, writeTrial } from './graph-on-disk.ts';

/** A quantised graph and how far it is from float32. */
export interface Candidate {
  readonly name: string;
  readonly quality: Quality;
  readonly trial: GraphOnDisk;
}

export interface CandidateParts {
  readonly name: string;
  readonly variant: Variant;
  /** The layers to quantise. */
  readonly products: readonly LinearProduct[];
}

/** Writes a quantised graph and compares it with float32 on the texts of the check. */
export async function tryCandidate(
  { name, variant, products }: CandidateParts,
  model: OpenedModel,
  { ranges, checks, reference }: Calibration,
  options: TrialOptions,
): Promise<Candidate> {
  const graph = variant.quantize(model.graph, products, ranges);
  const trial = await writeTrial(graph, name, options);
  const actual = await trial.withSession((run) => readOutputs(run, checks, model.description.outputs));
  return { name, quality: measureQuality(model.description, reference, actual), trial };
}
