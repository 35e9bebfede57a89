import { durationText } from './duration-text.ts';

export interface ProgressState {
  readonly done: number;
  /** `undefined` when it is not known. */
  readonly total: number | undefined;
  /** Of `done`, what was there before this began: it says nothing about the rate. */
  readonly doneBefore: number;
  readonly elapsedMs: number;
}

/** How an amount of what is counted reads: `1.2 GB`, `300 rows`. */
export type AmountText = (amount: number) => string;

/** `45 % (1.0 GB of 2.3 GB), 31.0 MB/s, 41 s left`. */
export function progressText({ done, total, doneBefore, elapsedMs }: ProgressState, amountText: AmountText): string {
  const perSecond = elapsedMs > 0 ? Math.max(0, done - doneBefore) / (elapsedMs / 1000) : 0;
  const rate = `${amountText(Math.round(perSecond))}/s`;
  if (total === undefined) return `${amountText(done)}, ${rate}`;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const parts = [`${percent} % (${amountText(done)} of ${amountText(total)})`, rate];
  if (perSecond > 0 && done < total) parts.push(`${durationText((1000 * (total - done)) / perSecond)} left`);
  return parts.join(', ');
}
