import type { Item } from './item.ts';

/** Items by their turn. Adding, taking the first and removing any of them cost the logarithm of how many there are. */
export class ItemHeap {
  readonly #items: Item[] = [];

  get count(): number {
    return this.#items.length;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#put(item, this.#items.length);
    this.#rise(item);
  }

  /** The item must be in this heap. */
  remove(item: Item): void {
    const index = item.heapIndex;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last === undefined || last === item) return;
    this.#put(last, index);
    this.#rise(last);
    this.#sink(last);
  }

  takeFirst(): Item | undefined {
    const item = this.#items[0];
    if (item !== undefined) this.remove(item);
    return item;
  }

  #rise(item: Item): void {
    while (item.heapIndex > 0) {
      const parent = this.#items[(item.heapIndex - 1) >> 1];
      if (parent === undefined || !item.isBefore(parent)) return;
      this.#swap(item, parent);
    }
  }

  #sink(item: Item): void {
    for (;;) {
      const left = this.#items[2 * item.heapIndex + 1];
      const right = this.#items[2 * item.heapIndex + 2];
      const child = right !== undefined && left !== undefined && right.isBefore(left) ? right : left;
      if (child === undefined || !child.isBefore(item)) return;
      this.#swap(item, child);
    }
  }

  #swap(a: Item, b: Item): void {
    const index = a.heapIndex;
    this.#put(a, b.heapIndex);
    this.#put(b, index);
  }

  #put(item: Item, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
