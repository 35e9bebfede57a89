import type { Item } from './item.ts';
import { ItemHeap } from './item-heap.ts';
import type { LengthGroup } from './plan-run.ts';

/** The queue of a model: a heap for each length, since a run holds items of one length. */
export class WaitingItems {
  readonly #byLength = new Map<number, ItemHeap>();
  #count = 0;
  #tokens = 0;

  get count(): number {
    return this.#count;
  }

  get tokens(): number {
    return this.#tokens;
  }

  add(item: Item): void {
    let heap = this.#byLength.get(item.length);
    if (heap === undefined) {
      heap = new ItemHeap();
      this.#byLength.set(item.length, heap);
    }
    heap.add(item);
    item.countQueued(1);
    this.#count += 1;
    this.#tokens += item.length;
  }

  /** The item must be waiting. */
  remove(item: Item): void {
    this.#byLength.get(item.length)?.remove(item);
    this.#forget(item);
  }

  *groups(): Generator<LengthGroup> {
    for (const [length, { count, first }] of this.#byLength) {
      if (first !== undefined) yield { length, count, turn: first.turn, order: first.order };
    }
  }

  /** Removes and returns the `count` items of this length whose turn is first, in the order of their turns. */
  take(length: number, count: number): readonly Item[] {
    const heap = this.#byLength.get(length);
    const taken: Item[] = [];
    while (taken.length < count) {
      const item = heap?.takeFirst();
      if (item === undefined) break;
      taken.push(item);
      this.#forget(item);
    }
    return taken;
  }

  #forget(item: Item): void {
    item.countQueued(-1);
    this.#count -= 1;
    this.#tokens -= item.length;
    if (this.#byLength.get(item.length)?.count === 0) this.#byLength.delete(item.length);
  }
}
