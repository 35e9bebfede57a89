/** The largest absolute difference of any two numbers; infinite where the shapes differ or a number is not one. */
export function maxDifference(actual: readonly Float32Array[], expected: readonly (readonly number[])[]): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const [row, values] of expected.entries()) {
    if (actual[row]?.length !== values.length) return Number.POSITIVE_INFINITY;
    for (const [column, value] of values.entries()) {
      const difference = Math.abs((actual[row]?.[column] ?? Number.NaN) - Math.fround(value));
      if (Number.isNaN(difference)) return Number.POSITIVE_INFINITY;
      largest = Math.max(largest, difference);
    }
  }
  return largest;
}
