import type { ServiceError } from '../contracts/errors.ts';
import type { ItemRows } from '../contracts/scheduler.ts';

export interface SubmissionEnd {
  readonly onRows: (rows: readonly ItemRows[]) => void;
  readonly onError: (error: ServiceError) => void;
}

/** The items of one request and what has come back for them. Ends once; whatever comes later is ignored. */
export class Submission {
  /** When its first item was in a run. */
  startedMs: number | undefined;
  readonly #rows: ItemRows[] = [];
  readonly #end: SubmissionEnd;
  /** Tokens of its items that wait; those in a run or done do not count. Kept by the queue. */
  queuedTokens = 0;
  #missing: number;
  #hasEnded = false;

  constructor(itemCount: number, end: SubmissionEnd) {
    this.#missing = itemCount;
    this.#end = end;
  }

  /** Takes the rows of one item; the last one ends the submission. */
  take(index: number, rows: ItemRows): void {
    if (this.#hasEnded) return;
    this.#rows[index] = rows;
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#hasEnded = true;
    this.#end.onRows(this.#rows);
  }

  fail(error: ServiceError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#end.onError(error);
  }
}
