import type { RopeParameters } from '../config/rope-parameters.ts';
import { inverseFrequencies, type RotaryTable } from './rotary.ts';

type Scaling<T extends RopeParameters['rope_type']> = Extract<RopeParameters, { readonly rope_type: T }>;

/**
 * Short waves stay, long ones are stretched by the factor, those between move smoothly from one to the other.
 * Source: https://github.com/meta-llama/llama-models/blob/main/models/llama3/model.py (apply_scaling)
 */
function llama3(frequency: number, rope: Scaling<'llama3'>): number {
  const { factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: original } = rope;
  const wavelength = (2 * Math.PI) / frequency;
  if (wavelength < original / high) return frequency;
  if (wavelength > original / low) return frequency / factor;
  const smooth = (original / wavelength - low) / (high - low);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}

/** Dimension, of `width`, whose wave makes so many turns within the length that the model was trained for. */
function dimensionOfTurns(turns: number, width: number, rope: Scaling<'yarn'>): number {
  const { original_max_position_embeddings: original, rope_theta: theta } = rope;
  return (width * Math.log(original / (turns * 2 * Math.PI))) / (2 * Math.log(theta));
}

/** YaRN (https://arxiv.org/abs/2309.00071, 3.2): waves that turn often stay, slow ones are stretched, a ramp between. */
function yarn(frequencies: readonly number[], width: number, rope: Scaling<'yarn'>): number[] {
  const { factor, truncate } = rope;
  const [first, last] = [dimensionOfTurns(rope.beta_fast, width, rope), dimensionOfTurns(rope.beta_slow, width, rope)];
  const low = Math.max(truncate ? Math.floor(first) : first, 0);
  const end = Math.min(truncate ? Math.ceil(last) : last, width - 1);
  const high = end === low ? end + 0.001 : end;
  return frequencies.map((frequency, index) => {
    const stretched = Math.min(Math.max((index - low) / (high - low), 0), 1);
    return (frequency / factor) * stretched + frequency * (1 - stretched);
  });
}

/** The angles and magnitude of a rotary embedding of `width` dimensions for so many positions, scaled as the config says. */
export function rotaryTable(rope: RopeParameters, width: number, positions: number): RotaryTable {
  const frequencies = inverseFrequencies(width, rope.rope_theta);
  switch (rope.rope_type) {
    case 'default':
      return { positions, inverseFrequencies: frequencies };
    case 'linear':
      return { positions, inverseFrequencies: frequencies.map((frequency) => frequency / rope.factor) };
    case 'llama3':
      return { positions, inverseFrequencies: frequencies.map((frequency) => llama3(frequency, rope)) };
    case 'yarn':
      return {
        positions,
        inverseFrequencies: yarn(frequencies, width, rope),
        magnitude: rope.attention_factor,
      };
  }
}
