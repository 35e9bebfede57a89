import type { ActivationRanges, ChannelRange, RangeOutput } from '../contracts/activation-ranges.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import type { RunText } from './run-text.ts';

function channelsOf(tensors: ReadonlyMap<string, Tensor>, name: string): Float32Array {
  const data = tensors.get(name)?.data;
  if (data instanceof Float32Array) return data;
  throw new ServiceError('compile_failed', `the calibration graph gave no output '${name}'`);
}

/** A number that is not finite says nothing of a channel, and would make every scale useless. */
function grow({ min, max }: ChannelRange, least: Float32Array, greatest: Float32Array): void {
  least.forEach((value, channel) => {
    if (Number.isFinite(value) && value < (min[channel] ?? 0)) min[channel] = value;
  });
  greatest.forEach((value, channel) => {
    if (Number.isFinite(value) && value > (max[channel] ?? 0)) max[channel] = value;
  });
}

/** Runs a calibration graph on each text alone: what the channels of each value held over all of them, and 0. */
export async function collectRanges(
  run: RunText,
  encodings: readonly Encoding[],
  outputs: readonly RangeOutput[],
): Promise<ActivationRanges> {
  const ranges = new Map<string, ChannelRange>();
  for (const encoding of encodings) {
    const tensors = new Map((await run(encoding)).map((tensor) => [tensor.name, tensor]));
    for (const output of outputs) {
      const [least, greatest] = [channelsOf(tensors, output.min), channelsOf(tensors, output.max)];
      let range = ranges.get(output.value);
      if (range === undefined) {
        range = { min: new Float32Array(least.length), max: new Float32Array(greatest.length) };
        ranges.set(output.value, range);
      }
      grow(range, least, greatest);
    }
  }
  return ranges;
}
