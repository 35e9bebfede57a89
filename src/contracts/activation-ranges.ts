/** The least and greatest number that each channel of a value held, over the texts of a calibration. */
export interface ChannelRange {
  readonly min: Float32Array;
  readonly max: Float32Array;
}

/** By the name of a value in the graph. */
export type ActivationRanges = ReadonlyMap<string, ChannelRange>;

/** Two outputs of a calibration graph that hold the range of one value in a run: float32 `[channels]`. */
export interface RangeOutput {
  readonly value: string;
  readonly min: string;
  readonly max: string;
}
