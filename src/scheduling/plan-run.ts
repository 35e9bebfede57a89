import type { RunCosts } from './run-costs.ts';
import { type RunBudget, runSize } from './run-size.ts';

/** Waiting items that may share a run: those of one length, or one that runs alone. */
export interface RunGroup {
  readonly key: number;
  /** In tokens. */
  readonly length: number;
  readonly count: number;
  /** Of the item in it that is to be served first. */
  readonly turn: number;
  /** Decides between equal turns. */
  readonly order: number;
}

export interface PlannedRun {
  /** Of the group. */
  readonly key: number;
  readonly count: number;
}

/**
 * The next run: the item whose turn it is, and with it others of its length, whoever sent them, as many as pay. Since it is
 * always made for the first item, nothing can be passed over. `undefined` when nothing waits.
 */
export function planRun(groups: Iterable<RunGroup>, budget: RunBudget, costs: RunCosts): PlannedRun | undefined {
  let first: RunGroup | undefined;
  for (const group of groups) {
    if (first === undefined || isBefore(group, first)) first = group;
  }
  if (first === undefined) return undefined;
  const { key, length, count } = first;
  return { key, count: Math.min(count, runSize(length, budget, costs)) };
}

function isBefore(a: RunGroup, b: RunGroup): boolean {
  return a.turn < b.turn || (a.turn === b.turn && a.order < b.order);
}
