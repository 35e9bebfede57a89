import type { Scheduler } from '../../contracts/scheduler.ts';
import { estimateDemand } from '../estimate-demand.ts';
import type { LoadedModel } from '../model-slot.ts';
import { outputOf } from '../output-of.ts';
import { runEncodings } from '../run-encodings.ts';
import { CALIBRATION_TEXTS } from './calibration-texts.ts';

/** By the model's own queue, which lives as long as the model does. */
const known = new WeakMap<Scheduler, Promise<readonly Float32Array[]>>();

/**
 * The model's vectors of the calibration texts, from which the ranges of int8 and uint8 are read: computed once, when they
 * are first needed (a second of work for a small model), and kept (about 200 kB for 384 dimensions).
 */
export function calibrationVectors(model: LoadedModel): Promise<readonly Float32Array[]> {
  const computed = known.get(model.scheduler) ?? compute(model);
  known.set(model.scheduler, computed);
  // The next request tries again.
  computed.catch(() => known.delete(model.scheduler));
  return computed;
}

async function compute(model: LoadedModel): Promise<readonly Float32Array[]> {
  const { position } = outputOf(model.compiled, 'embedding');
  // No request's signal: others wait for the same vectors.
  const context = { signal: new AbortController().signal };
  const encode = () => model.tokenizer.encode(CALIBRATION_TEXTS);
  const { items } = await runEncodings(model, {
    encode,
    estimate: estimateDemand(CALIBRATION_TEXTS, model.tokenizer.maxSequenceLength),
    context,
    param: 'input',
    outputs: [position],
  });
  return items.map((rows) => Float32Array.from(rows[position] ?? []));
}
