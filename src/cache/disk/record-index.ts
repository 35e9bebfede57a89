import type { Segment } from './segment.ts';

export interface RecordPlace {
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
}

/** Where the records are: segments from the oldest to the newest, and the newest record of each fingerprint. */
export class RecordIndex {
  readonly segments: Segment[] = [];
  readonly #places = new Map<number, RecordPlace>();

  get entries(): number {
    return this.#places.size;
  }

  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  find(fingerprint: number): RecordPlace | undefined {
    return this.#places.get(fingerprint);
  }

  set(fingerprint: number, place: RecordPlace): void {
    this.#places.set(fingerprint, place);
    place.segment.fingerprints.push(fingerprint);
  }

  forget(fingerprint: number, place: RecordPlace): void {
    if (this.#places.get(fingerprint) === place) this.#places.delete(fingerprint);
  }

  /** Closes a segment. Returns how many records could be found only there. */
  async removeSegment(segment: Segment): Promise<number> {
    const position = this.segments.indexOf(segment);
    if (position !== -1) this.segments.splice(position, 1);
    const before = this.entries;
    for (const fingerprint of segment.fingerprints) {
      if (this.#places.get(fingerprint)?.segment === segment) this.#places.delete(fingerprint);
    }
    await segment.close();
    return before - this.entries;
  }

  async removeAll(): Promise<void> {
    const all = this.segments.splice(0);
    this.#places.clear();
    await Promise.all(all.map((segment) => segment.close()));
  }
}
