import type { Demand } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { FairTurns } from './fair-turns.ts';
import { Item } from './item.ts';
import { hashIds, ItemsInFlight } from './items-in-flight.ts';
import { planRun } from './plan-run.ts';
import type { RunCosts } from './run-costs.ts';
import type { RunBudget } from './run-size.ts';
import type { Submission } from './submission.ts';
import { WaitingItems } from './waiting-items.ts';

/** Knows which inputs should share a run with no other. */
export interface Suspects {
  isSuspect(encoding: Encoding): boolean;
}

/** What waits for a model's lanes, and what they have in hand: whose turn it is, and who asked for the same. */
export class RequestQueue {
  readonly #budget: RunBudget;
  readonly #suspects: Suspects | undefined;
  readonly #waiting = new WaitingItems();
  readonly #inFlight = new ItemsInFlight();
  readonly #turns = new FairTurns();
  #lastOrder = 0;

  constructor(budget: RunBudget, suspects?: Suspects) {
    this.#budget = budget;
    this.#suspects = suspects;
  }

  /** What waits; an item that several requests asked for counts once. */
  get load(): Demand {
    return { items: this.#waiting.count, tokens: this.#waiting.tokens };
  }

  /** Queues an item for each encoding, or joins the one that waits or runs for the same ids. */
  add(encodings: readonly Encoding[], submission: Submission): readonly Item[] {
    const turns = this.#turns.turnsOf(encodings.map(({ ids }) => ids.length));
    return encodings.map((encoding, index) => {
      const turn = turns[index] ?? 0;
      const hash = hashIds(encoding.ids);
      const known = this.#inFlight.find(encoding, hash);
      const item = known ?? new Item(encoding, hash, turn, ++this.#lastOrder);
      item.join(submission, index);
      if (known === undefined) {
        item.runsAlone = this.#suspects?.isSuspect(encoding) === true;
        this.#inFlight.add(item);
        this.#waiting.add(item);
      } else if (!item.isQueued) {
        submission.startedMs ??= item.startedMs;
      } else if (turn < item.turn) {
        this.#waiting.remove(item);
        item.turn = turn;
        this.#waiting.add(item);
      }
      return item;
    });
  }

  /** The items of the next run, equally long, while so many requests are in hand; empty when nothing waits. */
  take(costs: RunCosts, requests: number): readonly Item[] {
    const run = planRun(this.#waiting.groups(), this.#budget, costs);
    if (run === undefined) return [];
    const items = this.#waiting.take(run.key, run.count);
    this.#turns.serve(items, requests);
    return items;
  }

  /** Items that were taken and have not been run: they keep their turns, unless nobody wants them any more. */
  giveBack(items: readonly Item[]): void {
    for (const item of items) {
      if (item.isWanted) this.#waiting.add(item);
      else this.#inFlight.remove(item);
    }
  }

  /** Items that were taken and whose run failed, so that one of them may be the cause: each gets a run of its own. */
  retryAlone(items: readonly Item[]): void {
    for (const item of items) item.runsAlone = true;
    this.giveBack(items);
  }

  /** Items that were taken and are done: whoever asks for the same from now on has it computed anew. */
  finish(items: readonly Item[]): void {
    for (const item of items) this.#inFlight.remove(item);
  }

  /** A request that has ended: what waits only for it goes at once. */
  drop(items: readonly Item[], submission: Submission): void {
    for (const item of items) {
      item.leave(submission);
      if (item.isWanted || !item.isQueued) continue;
      this.#waiting.remove(item);
      this.#inFlight.remove(item);
    }
  }
}
