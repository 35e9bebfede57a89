export interface RelativeLogBuckets {
  /** `position_buckets`: positions up to half of it get a row each, those beyond share rows. 0 where each has its own. */
  readonly buckets: number;
  /** `max_relative_positions`, or the longest sequence where the config has none. */
  readonly maxRelative: number;
}

/** Rows of the table of relative positions: one half for each side. */
export function relativeRowCount({ buckets, maxRelative }: RelativeLogBuckets): number {
  return 2 * (buckets > 0 ? buckets : maxRelative);
}

/**
 * The bucket of a position relative to a key. float32, as in the reference, since a rounded logarithm decides on which
 * side of a step a distance falls.
 */
function logBucket(relative: number, { buckets, maxRelative }: RelativeLogBuckets): number {
  const exact = Math.floor(buckets / 2);
  const distance = Math.abs(relative);
  if (buckets === 0 || distance <= exact) return relative;
  const logarithm = Math.fround(Math.log(Math.fround(distance / exact)));
  const whole = Math.fround(Math.log(Math.fround((maxRelative - 1) / exact)));
  const step = Math.ceil(Math.fround(Math.fround(logarithm / whole) * (exact - 1)));
  return Math.sign(relative) * (exact + step);
}

/**
 * DeBERTa's row of the table of relative positions for a query `relative` positions after a key; what lies beyond the
 * table gets its first or last row.
 * Source: make_log_bucket_position and disentangled_attention_bias in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/deberta_v2/modeling_deberta_v2.py
 */
export function relativeRow(relative: number, options: RelativeLogBuckets): number {
  const rows = relativeRowCount(options);
  return Math.min(Math.max(logBucket(relative, options) + rows / 2, 0), rows - 1);
}
