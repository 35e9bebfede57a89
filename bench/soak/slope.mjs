/**
 * The slope of the least-squares line through points of time and value, per unit of time.
 *
 * @param {readonly { readonly at: number, readonly value: number }[]} points at least two times
 */
export function slope(points) {
  const mean = (/** @type {(point: { at: number, value: number }) => number} */ of) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const covariance = mean((point) => (point.at - at) * (point.value - value));
  return covariance / mean((point) => (point.at - at) ** 2);
}
