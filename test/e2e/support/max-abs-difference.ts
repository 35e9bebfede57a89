/** The largest absolute difference of two vectors of one length; NaN differs from everything. */
export function maxAbsDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`lengths differ: ${a.length} and ${b.length}`);
  let worst = 0;
  for (let index = 0; index < a.length; index += 1) {
    const difference = Math.abs(Number(a[index]) - Number(b[index]));
    if (Number.isNaN(difference)) return Number.POSITIVE_INFINITY;
    worst = Math.max(worst, difference);
  }
  return worst;
}
