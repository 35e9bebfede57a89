import type { ServiceError } from '../contracts/errors.ts';
import type { ItemRows } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import type { Submission } from './submission.ts';

interface Receiver {
  readonly submission: Submission;
  /** Position in the submission. */
  readonly index: number;
}

/** One sequence in the queue or in a run, and whoever waits for its rows: equal sequences of several requests are one item. */
export class Item {
  readonly encoding: Encoding;
  /** Of its ids. */
  readonly hash: number;
  /** Its turn: a lower one is served first, an equal one by `order`. */
  turn: number;
  /** Of arrival; no two items have the same. */
  readonly order: number;
  /** Whether it shares a run with no other: a run with it has failed. Set only while it does not wait. */
  runsAlone = false;
  /** Its place in the heap that holds it, which alone may set it; -1 outside. */
  heapIndex = -1;
  /** When its run began; `undefined` while it has been in none. */
  startedMs: number | undefined;
  #receivers: Receiver[] = [];

  constructor(encoding: Encoding, hash: number, turn: number, order: number) {
    this.encoding = encoding;
    this.hash = hash;
    this.turn = turn;
    this.order = order;
  }

  /** In tokens. */
  get length(): number {
    return this.encoding.ids.length;
  }

  get isQueued(): boolean {
    return this.heapIndex >= 0;
  }

  get isWanted(): boolean {
    return this.#receivers.length > 0;
  }

  join(submission: Submission, index: number): void {
    this.#receivers.push({ submission, index });
    if (this.isQueued) submission.queuedTokens += this.length;
  }

  /** Its run has begun. */
  start(nowMs: number): void {
    this.startedMs = nowMs;
    for (const { submission } of this.#receivers) submission.startedMs ??= nowMs;
  }

  leave(submission: Submission): void {
    this.#receivers = this.#receivers.filter((receiver) => receiver.submission !== submission);
  }

  deliver(rows: ItemRows | ServiceError): void {
    for (const { submission, index } of this.#receivers) {
      if (rows instanceof Error) submission.fail(rows);
      else submission.take(index, rows);
    }
  }

  /** It has come into the queue, or gone from it. */
  countQueued(sign: 1 | -1): void {
    for (const { submission } of this.#receivers) submission.queuedTokens += sign * this.length;
  }

  isBefore(other: Item): boolean {
    return this.turn < other.turn || (this.turn === other.turn && this.order < other.order);
  }
}
