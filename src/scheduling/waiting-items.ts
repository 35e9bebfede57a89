import type { Item } from './item.ts';
import { ItemHeap } from './item-heap.ts';
import type { RunGroup } from './plan-run.ts';

/** The queue of a model: a heap for each length, since a run holds items of one length, and one for each that runs alone. */
export class WaitingItems {
  readonly #byKey = new Map<number, ItemHeap>();
  #count = 0;
  #tokens = 0;

  get count(): number {
    return this.#count;
  }

  get tokens(): number {
    return this.#tokens;
  }

  add(item: Item): void {
    const key = keyOf(item);
    let heap = this.#byKey.get(key);
    if (heap === undefined) {
      heap = new ItemHeap();
      this.#byKey.set(key, heap);
    }
    heap.add(item);
    item.countQueued(1);
    this.#count += 1;
    this.#tokens += item.length;
  }

  /** The item must be waiting. */
  remove(item: Item): void {
    this.#byKey.get(keyOf(item))?.remove(item);
    this.#forget(item);
  }

  *groups(): Generator<RunGroup> {
    for (const [key, { count, first }] of this.#byKey) {
      if (first !== undefined) yield { key, length: first.length, count, turn: first.turn, order: first.order };
    }
  }

  /** Removes and returns the `count` items of this group whose turn is first, in the order of their turns. */
  take(key: number, count: number): readonly Item[] {
    const heap = this.#byKey.get(key);
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
    const key = keyOf(item);
    if (this.#byKey.get(key)?.count === 0) this.#byKey.delete(key);
  }
}

/** Lengths are positive and orders too, so no group has the key of another. */
function keyOf({ runsAlone, order, length }: Item): number {
  return runsAlone ? -order : length;
}
