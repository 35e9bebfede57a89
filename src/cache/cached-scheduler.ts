import type { CompiledModel, GraphOutput } from '../contracts/compiled-model.ts';
import type { ItemRows, Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import type { VectorEntry, VectorStore } from '../contracts/vector-store.ts';
import { itemKey } from './item-key.ts';
import type { LookupCounts } from './store-counts.ts';

export interface CachedSchedulerOptions {
  readonly store: VectorStore;
  readonly model: Pick<CompiledModel, 'contentKey' | 'outputs'>;
  /** Counts items that were known as a whole, and others. */
  readonly use?: LookupCounts;
}

/**
 * The scheduler, asked only for items that the store does not know. The store is asked once for all items of a submission,
 * and gets what was computed afterwards, in the background. It must never reject.
 */
export function cachedScheduler(
  scheduler: Scheduler,
  { store, model: { contentKey, outputs }, use = { hits: 0, misses: 0 } }: CachedSchedulerOptions,
): Scheduler {
  const origins = outputs.map(({ name, role }) => JSON.stringify([contentKey, role, name]));

  async function lookUp(encodings: readonly Encoding[], positions: readonly number[]) {
    const keys = encodings.map(({ ids, typeIds }) => positions.map((at) => itemKey(origins[at] ?? '', [ids, typeIds])));
    const rows = await store.getMany(keys.flat());
    const items = encodings.map((encoding, item) => {
      const found: Float32Array[] = outputs.map(() => NOT_ASKED_FOR);
      const isWhole = positions.every((at, place) => {
        const row = rows[item * positions.length + place];
        if (row === undefined || !fits(row, encoding, outputs[at])) return false;
        found[at] = row;
        return true;
      });
      return isWhole ? found : undefined;
    });
    return { keys, items };
  }

  return {
    reserve: (estimate) => scheduler.reserve(estimate),
    load: () => scheduler.load(),
    failure: () => scheduler.failure(),
    drain: () => scheduler.drain(),
    async submit(encodings, options = {}) {
      if (options.cache === false) return scheduler.submit(encodings, options);
      const positions = options.outputs ?? outputs.map((_, at) => at);
      const { keys, items } = await lookUp(encodings, positions);
      const missing = items.flatMap((item, index) => (item === undefined ? [index] : []));
      const known = items.length - missing.length;
      if (options.work !== undefined) options.work.cachedItems = known;
      use.hits += known;
      use.misses += missing.length;
      if (missing.length === 0) return items.map((item) => item ?? []);

      const computed = await scheduler.submit(
        missing.flatMap((index) => encodings[index] ?? []),
        options,
      );
      const entries = missing.flatMap((index, place) => entriesOf(keys[index], computed[place], positions));
      void store.setMany(entries);
      const rest = computed.values();
      return items.map((item) => item ?? rest.next().value ?? []);
    },
  };
}

const NOT_ASKED_FOR = new Float32Array();

/** Whatever a store that others write to says: a row of another size is not this output's. */
function fits(row: Float32Array, { ids }: Encoding, output: GraphOutput | undefined): boolean {
  if (output === undefined) return false;
  const rows = output.per === 'item' ? 1 : ids.length - output.firstToken;
  return row.length === rows * output.width;
}

function entriesOf(
  keys: readonly string[] | undefined,
  rows: ItemRows | undefined,
  positions: readonly number[],
): VectorEntry[] {
  return positions.flatMap((at, place) => {
    const key = keys?.[place];
    const row = rows?.[at];
    return key === undefined || row === undefined ? [] : [{ key, row }];
  });
}
