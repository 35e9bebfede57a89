import type { OpenedModel } from '../../compiler/open-model.ts';
import { linearProducts } from '../../compiler/quantization/linear-products.ts';
import { variantsFor } from '../../compiler/quantization/registry.ts';
import type { CompileRequest } from '../../contracts/compile-job.ts';
import { FASTEST_LIMITS, isWithin } from '../../tuning/judge-quality.ts';
import type { RunText } from '../../tuning/run-text.ts';
import { timeGraphs } from '../../tuning/time-graphs.ts';
import type { Calibration } from './calibrate.ts';
import { type Candidate, tryCandidate } from './candidate.ts';
import { type GraphOnDisk, type TrialOptions, writeTrial } from './graph-on-disk.ts';

export interface ChoiceContext {
  readonly model: OpenedModel;
  readonly calibration: Calibration;
  readonly request: CompileRequest;
  readonly options: TrialOptions;
}

export interface Choice {
  /** `undefined` for the float32 graph. */
  readonly kept: Candidate | undefined;
  readonly warning?: string;
}

/** A graph that is faster by less than this is not worth any loss. */
const LEAST_GAIN = 1.05;
/** Texts that are timed: the check's, of one token to a passage. */
const TIMED_TEXTS = 12;

/** Opens all graphs at once, so that they can take turns. */
async function withSessions<Result>(
  trials: readonly GraphOnDisk[],
  use: (runs: readonly RunText[]) => Promise<Result>,
  runs: readonly RunText[] = [],
): Promise<Result> {
  const [trial, ...rest] = trials;
  if (trial === undefined) return use(runs);
  return trial.withSession((run) => withSessions(rest, use, [...runs, run]));
}

/** The fastest graph on this machine of those that stay so close to float32 that nobody notices. */
export async function chooseFastest({ model, calibration, request, options }: ChoiceContext): Promise<Choice> {
  const products = linearProducts(model.graph);
  const candidates: Candidate[] = [];
  for (const variant of variantsFor(request)) {
    const candidate = await tryCandidate({ name: variant.name, variant, products }, model, calibration, options);
    if (isWithin(candidate.quality, FASTEST_LIMITS)) candidates.push(candidate);
    else await candidate.trial.remove();
  }
  if (candidates.length === 0) return { kept: undefined };
  const float32 = await writeTrial(model.graph, 'float32', options);
  const stride = Math.max(1, Math.floor(calibration.checks.length / TIMED_TEXTS));
  const timed = calibration.checks.filter((_, index) => index % stride === 0);
  const [floatMs = 0, ...times] = await withSessions([float32, ...candidates.map(({ trial }) => trial)], (runs) =>
    timeGraphs(runs, timed),
  );
  await float32.remove();
  const fastestMs = Math.min(...times);
  const kept = floatMs / fastestMs >= LEAST_GAIN ? candidates[times.indexOf(fastestMs)] : undefined;
  for (const candidate of candidates) if (candidate !== kept) await candidate.trial.remove();
  return { kept };
}
