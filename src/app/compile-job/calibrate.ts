import type { OpenedModel } from '../../compiler/open-model.ts';
import { linearProducts } from '../../compiler/quantization/linear-products.ts';
import { withRangeOutputs } from '../../compiler/quantization/with-range-outputs.ts';
import { elementCount } from '../../compiler/weights/weight.ts';
import type { ActivationRanges } from '../../contracts/activation-ranges.ts';
import type { Task } from '../../contracts/compiled-model.ts';
import type { Encoding, Tokenizer } from '../../contracts/tokenizer.ts';
import { CALIBRATION_TEXTS } from '../../tuning/calibration-texts.ts';
import { CHECK_TEXTS } from '../../tuning/check-texts.ts';
import { collectRanges } from '../../tuning/collect-ranges.ts';
import { encodeSamples } from '../../tuning/encode-samples.ts';
import { readOutputs, type TextOutputs } from '../../tuning/read-outputs.ts';
import { selectTexts } from '../../tuning/select-texts.ts';
import { type TrialOptions, writeTrial } from './graph-on-disk.ts';

/** What the float32 graph tells about itself, in one session. */
export interface Calibration {
  readonly ranges: ActivationRanges;
  /** Of the quality check, with what float32 gives for each. */
  readonly checks: readonly Encoding[];
  readonly reference: readonly TextOutputs[];
}

/** Runs the float32 graph over the built-in texts; both kinds of texts are fewer for larger models. */
export async function calibrate(model: OpenedModel, tokenizer: Tokenizer, options: TrialOptions): Promise<Calibration> {
  const { graph, ranges: outputs } = withRangeOutputs(model.graph);
  const weights = linearProducts(model.graph).reduce((sum, { weight }) => sum + elementCount(weight.dims), 0);
  const { tasks, outputs: results } = model.description;
  const affordable = async (texts: readonly string[], task: Task): Promise<readonly Encoding[]> => {
    const encodings = await encodeSamples(tokenizer, task, texts);
    const lengths = encodings.map(({ ids }) => ids.length);
    return selectTexts(lengths, weights).flatMap((index) => encodings[index] ?? []);
  };
  const [task = 'embed'] = tasks;
  const samples = await affordable(CALIBRATION_TEXTS, task);
  const checks = await affordable(CHECK_TEXTS, task);
  const trial = await writeTrial(graph, 'calibration', options);
  try {
    return await trial.withSession(async (run) => ({
      ranges: await collectRanges(run, samples, outputs),
      checks,
      reference: await readOutputs(run, checks, results),
    }));
  } finally {
    await trial.remove();
  }
}
