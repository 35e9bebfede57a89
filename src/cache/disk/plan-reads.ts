import type { RecordPlace } from './record-index.ts';
import type { Segment } from './segment.ts';

/** Reading what lies between two records costs less than a read of its own. */
const GAP_BYTES = 16 * 1024;
const READ_BYTES = 1024 * 1024;

export interface WantedRecord {
  readonly key: string;
  readonly fingerprint: number;
  /** Position in the request. */
  readonly index: number;
  readonly place: RecordPlace;
}

/** One read of a segment that brings these records. */
export interface SegmentRead {
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
  readonly records: readonly WantedRecord[];
}

/** Records that were written together lie side by side and are read together. */
export function planReads(wanted: readonly WantedRecord[]): readonly SegmentRead[] {
  const groups: WantedRecord[][] = [];
  let last: RecordPlace | undefined;
  let start = 0;
  for (const record of wanted.toSorted(byPlace)) {
    const { segment, offset, bytes } = record.place;
    const isNear = last?.segment === segment && offset - (last.offset + last.bytes) <= GAP_BYTES;
    if (!isNear || offset + bytes - start > READ_BYTES) {
      groups.push([]);
      start = offset;
    }
    groups.at(-1)?.push(record);
    last = record.place;
  }
  return groups.flatMap((records) => readOf(records));
}

function byPlace({ place: a }: WantedRecord, { place: b }: WantedRecord): number {
  if (a.segment !== b.segment) return a.segment.name < b.segment.name ? -1 : 1;
  return a.offset - b.offset;
}

function readOf(records: readonly WantedRecord[]): SegmentRead[] {
  const first = records[0]?.place;
  if (first === undefined) return [];
  const end = Math.max(...records.map(({ place }) => place.offset + place.bytes));
  return [{ segment: first.segment, offset: first.offset, bytes: end - first.offset, records }];
}
