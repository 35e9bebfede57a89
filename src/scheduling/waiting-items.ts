import type { Item, Submission } from './submission.ts';

/** The queue of a model: items in order of arrival, and how many tokens they hold. */
export class WaitingItems {
  #items: Item[] = [];
  #tokens = 0;

  get count(): number {
    return this.#items.length;
  }

  get tokens(): number {
    return this.#tokens;
  }

  add(items: readonly Item[]): void {
    for (const item of items) {
      this.#items.push(item);
      this.#tokens += item.encoding.ids.length;
    }
  }

  /** Lengths in tokens of the oldest items, at most `limit` of them. */
  oldestLengths(limit: number): readonly number[] {
    return this.#items.slice(0, limit).map(({ encoding }) => encoding.ids.length);
  }

  /** Removes and returns the items at these positions (ascending, 0 is the oldest). Costs what lies before the last. */
  take(positions: readonly number[]): readonly Item[] {
    const taken: Item[] = [];
    const passed: Item[] = [];
    const end = (positions.at(-1) ?? -1) + 1;
    for (const [position, item] of this.#items.slice(0, end).entries()) {
      (positions[taken.length] === position ? taken : passed).push(item);
    }
    this.#items.splice(0, end, ...passed);
    this.#tokens -= tokensOf(taken);
    return taken;
  }

  clear(): void {
    this.#items = [];
    this.#tokens = 0;
  }

  /** Removes the items of a submission. */
  drop(submission: Submission): void {
    this.#items = this.#items.filter((item) => item.submission !== submission);
    this.#tokens = tokensOf(this.#items);
  }
}

function tokensOf(items: readonly Item[]): number {
  return items.reduce((sum, { encoding }) => sum + encoding.ids.length, 0);
}
