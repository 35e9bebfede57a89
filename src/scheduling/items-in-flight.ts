import type { Encoding } from '../contracts/tokenizer.ts';
import type { Item } from './item.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The items that wait or run, by their ids: what another request asks for again meanwhile is computed once. */
export class ItemsInFlight {
  /** Of two items with one hash and other ids the later one is not found, and is computed for itself. */
  readonly #byHash = new Map<number, Item>();

  /** `hash` is `hashIds` of the encoding, here and in every item. */
  find(encoding: Encoding, hash: number): Item | undefined {
    const item = this.#byHash.get(hash);
    return item !== undefined && isEqual(item.encoding, encoding) ? item : undefined;
  }

  add(item: Item): void {
    if (!this.#byHash.has(item.hash)) this.#byHash.set(item.hash, item);
  }

  remove(item: Item): void {
    if (this.#byHash.get(item.hash) === item) this.#byHash.delete(item.hash);
  }
}

/** 52 bits: two FNV-1a hashes over the ids, one of them from the other end. A text of 512 tokens takes 1 µs. */
export function hashIds(ids: Int32Array): number {
  let forward = FNV_OFFSET;
  let backward = FNV_OFFSET ^ ids.length;
  for (let index = 0; index < ids.length; index += 1) {
    forward = Math.imul(forward ^ (ids[index] ?? 0), FNV_PRIME);
    backward = Math.imul(backward ^ (ids[ids.length - 1 - index] ?? 0), FNV_PRIME);
  }
  return (forward >>> 0) * 2 ** 20 + ((backward >>> 12) & 0xfffff);
}

function isEqual(a: Encoding, b: Encoding): boolean {
  return sameNumbers(a.ids, b.ids) && sameNumbers(a.typeIds, b.typeIds);
}

function sameNumbers(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index]) return false;
  }
  return true;
}
