import type { JsonObject } from '../contracts/json.ts';

/** What came out for one row. */
export interface OutputRow {
  /** Position in the input, from 0. */
  readonly index: number;
  /** Fields of the input that are kept. */
  readonly kept: JsonObject;
  /** A vector, or a single score. */
  readonly numbers: Float32Array;
}

/** What the numbers of a row are called and whether they are one. */
export interface NumbersField {
  readonly name: 'embedding' | 'score';
  readonly isSingle: boolean;
}
