import type { OpenedModel } from '../../compiler/open-model.ts';
import type { Quality, TriedGraph } from '../../contracts/compiled-model.ts';
import { measureQuality } from '../../tuning/measure-quality.ts';
import { readOutputs } from '../../tuning/read-outputs.ts';
import type { RunText } from '../../tuning/run-text.ts';
import { timeGraphs } from '../../tuning/time-graphs.ts';
import type { Calibration } from './calibrate.ts';
import type { Candidate, CandidateParts, Timing, Trials } from './choice.ts';
import { type GraphOnDisk, type TrialOptions, writeTrial } from './graph-on-disk.ts';

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

export interface OpenTrials extends Trials {
  /** All that was tried until now, in its order. */
  tried(): readonly TriedGraph[];
}

/** Trials that write the graphs to disk and run them in this process. */
export function openTrials(model: OpenedModel, calibration: Calibration, options: TrialOptions): OpenTrials {
  const { ranges, checks, reference } = calibration;
  const qualities = new Map<string, Quality>();
  const speeds = new Map<string, number>();

  async function tryCandidate({ name, variant, products }: CandidateParts): Promise<Candidate> {
    const trial = await writeTrial(variant.quantize(model.graph, products, ranges), name, options);
    const actual = await trial.withSession((run) => readOutputs(run, checks, model.description.outputs));
    const quality = measureQuality(model.description, reference, actual);
    qualities.set(name, quality);
    return { name, quality, trial };
  }

  async function timeBesideFloat32(candidates: readonly Candidate[]): Promise<Timing> {
    const float32 = await writeTrial(model.graph, 'float32', options);
    const stride = Math.max(1, Math.floor(checks.length / TIMED_TEXTS));
    const timed = checks.filter((_, index) => index % stride === 0);
    const [float32Ms = 0, ...candidatesMs] = await withSessions(
      [float32, ...candidates.map(({ trial }) => trial)],
      (runs) => timeGraphs(runs, timed),
    );
    await float32.remove();
    for (const [index, { name }] of candidates.entries())
      speeds.set(name, float32Ms / (candidatesMs[index] ?? Number.NaN));
    return { float32Ms, candidatesMs };
  }

  function tried(): readonly TriedGraph[] {
    return Array.from(qualities, ([variant, quality]) => {
      const speed = speeds.get(variant);
      return { variant, quality, ...(speed === undefined ? {} : { speed }) };
    });
  }

  return { tryCandidate, timeBesideFloat32, tried };
}
