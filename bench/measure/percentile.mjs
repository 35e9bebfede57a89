/**
 * The value below which `share` (0..1) of the samples lie.
 *
 * @param {readonly number[]} samples
 * @param {number} share
 */
export function percentile(samples, share) {
  if (samples.length === 0) throw new Error('percentile of no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/**
 * The middle value; of an even number of them, the mean of the two in the middle.
 *
 * @param {readonly number[]} samples
 */
export function median(samples) {
  if (samples.length === 0) throw new Error('median of no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN;
  return (low + high) / 2;
}

/**
 * How far apart the rounds of one measurement lie, as a share of their median: what a difference must exceed to mean
 * anything.
 *
 * @param {readonly number[]} samples
 */
export function noise(samples) {
  return (Math.max(...samples) - Math.min(...samples)) / median(samples);
}
