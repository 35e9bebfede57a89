import type { Tensor } from '../contracts/inference-session.ts';
import type { Encoding } from '../contracts/tokenizer.ts';

/** Runs a graph on one text alone and returns its outputs. */
export type RunText = (encoding: Encoding) => Promise<readonly Tensor[]>;
