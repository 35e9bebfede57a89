import { type RunCosts, runMs } from './run-costs.ts';

export interface TimedShape {
  readonly batch: number;
  /** In tokens. */
  readonly length: number;
  readonly ms: number;
}

/** The fixed part is between these shares of the shortest run: noise in the others must not make it nothing, or all of it. */
const LEAST_FIXED_SHARE = 0.2;
const MOST_FIXED_SHARE = 0.9;

/**
 * A lone token costs as much as so many of a group: a run reads all weights once, and the cores could have computed some
 * tens of tokens meanwhile (14 for a small model on two cores). More is another process that had the machine just then.
 */
const MOST_FIXED_TOKENS = 100;

/** A shape that is predicted worse than by this factor was not measured, or does not follow the rule. */
const TRUSTED_FACTOR = 2;

/**
 * The costs that fit these runs best, by least squares of the relative error. `undefined` when they do not fit: fewer than
 * three shapes, times that are mostly noise.
 */
export function fitCosts(shapes: readonly TimedShape[]): RunCosts | undefined {
  if (new Set(shapes.map(({ batch, length }) => `${batch} ${length}`)).size < 3) return undefined;
  const [fixed = Number.NaN, token = Number.NaN, pair = Number.NaN] = solve(shapes);
  const shortest = shapes.reduce((least, shape) => (sizeOf(shape) < sizeOf(least) ? shape : least));
  const costs: RunCosts = {
    fixedMs: Math.min(
      MOST_FIXED_SHARE * shortest.ms,
      MOST_FIXED_TOKENS * token,
      Math.max(LEAST_FIXED_SHARE * shortest.ms, fixed),
    ),
    msPerToken: token,
    msPerPair: Math.max(0, pair),
  };
  const fits = shapes.every(({ batch, length, ms }) => {
    const ratio = runMs(costs, batch, length) / ms;
    return ratio < TRUSTED_FACTOR && ratio > 1 / TRUSTED_FACTOR;
  });
  return fits && token > 0 ? costs : undefined;
}

function sizeOf({ batch, length }: TimedShape): number {
  return batch * length;
}

/** What a shape has of each cost, as shares of its own time. */
function termsOf({ batch, length, ms }: TimedShape): readonly [number, number, number] {
  return [1 / ms, (batch * length) / ms, (batch * length * length) / ms];
}

type Row = [number, number, number, number];

/** Gauss's elimination of the three normal equations; empty when they have no single solution. */
function solve(shapes: readonly TimedShape[]): readonly number[] {
  const rows = [0, 1, 2].map((row): Row => {
    const sum = (column: 0 | 1 | 2) =>
      shapes.reduce((total, shape) => total + (termsOf(shape)[row] ?? 0) * termsOf(shape)[column], 0);
    return [sum(0), sum(1), sum(2), shapes.reduce((total, shape) => total + (termsOf(shape)[row] ?? 0), 0)];
  });
  for (const [column, pivot] of rows.entries()) {
    const scale = pivot[column] ?? 0;
    if (!Number.isFinite(scale) || scale < Number.EPSILON) return [];
    for (let entry = 0; entry < 4; entry += 1) pivot[entry] = (pivot[entry] ?? 0) / scale;
    for (const other of rows) {
      if (other === pivot) continue;
      const factor = other[column] ?? 0;
      for (let entry = 0; entry < 4; entry += 1) other[entry] = (other[entry] ?? 0) - factor * (pivot[entry] ?? 0);
    }
  }
  return rows.map((row) => row[3]);
}
