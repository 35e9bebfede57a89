import type { Logger } from '../contracts/logger.ts';
import type { VectorEntry, VectorStore, VectorStoreStats } from '../contracts/vector-store.ts';
import { createCircuitBreaker, type Permission } from './circuit-breaker.ts';
import { withinMs } from './within-ms.ts';

/**
 * A lookup may take so long, and so much more for each key. A model takes longer for one text; most stores answer within
 * 1 ms.
 */
const LOOKUP_MS = 20;
const LOOKUP_MS_PER_KEY = 0.05;
const TRIAL_MS = 1000;
const WRITE_MS = 10_000;
/** Guards memory when a store takes what it is given more slowly than models make it. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export interface GuardOptions {
  readonly logger: Logger;
  readonly nowMs?: () => number;
}

/**
 * The store, but never late and never in the way: what it does not answer in time is not known, what it cannot take is
 * dropped, and after a few failures it is bypassed until it answers again. Lookups and writes are judged apart: a store
 * that is full can still be read. Never rejects.
 */
export function guardStore(store: VectorStore, { logger, nowMs = () => performance.now() }: GuardOptions): VectorStore {
  const reading = createCircuitBreaker(nowMs);
  const writing = createCircuitBreaker(nowMs);
  let errors = 0;
  let bypassed = 0;
  let waitingBytes = 0;

  async function read(keys: readonly string[], permission: Permission, limitMs: number) {
    try {
      const rows = await withinMs(store.getMany(keys), limitMs);
      if (reading.succeeded(permission)) logger.info(`The vector cache answers again (${store.name}).`);
      return rows;
    } catch (error) {
      errors += 1;
      if (reading.failed(permission)) {
        logger.warning(`The vector cache does not answer and is bypassed (${store.name}): ${reasonOf(error)}`);
      }
      return undefined;
    }
  }

  async function write(entries: readonly VectorEntry[], permission: Permission): Promise<void> {
    try {
      await withinMs(store.setMany(entries), WRITE_MS);
      if (writing.succeeded(permission)) logger.info(`The vector cache takes vectors again (${store.name}).`);
    } catch (error) {
      errors += 1;
      if (writing.failed(permission)) {
        logger.warning(`The vector cache takes nothing and is only read (${store.name}): ${reasonOf(error)}`);
      }
    }
  }

  const withOwn = (inner: VectorStoreStats) => ({ ...inner, errors: errors + inner.errors, bypassed });

  return {
    name: store.name,
    async getMany(keys) {
      const nothing = keys.map(() => undefined);
      const permission = reading.ask();
      if (permission === 'use') {
        return (await read(keys, permission, LOOKUP_MS + LOOKUP_MS_PER_KEY * keys.length)) ?? nothing;
      }
      bypassed += 1;
      if (permission === 'trial') void read(keys.slice(0, 1), permission, TRIAL_MS);
      return nothing;
    },
    async setMany(entries) {
      const bytes = entries.reduce((sum, { row }) => sum + row.byteLength, 0);
      const permission = waitingBytes + bytes > MAX_WAITING_BYTES ? 'bypass' : writing.ask();
      if (permission === 'bypass') {
        bypassed += 1;
        return;
      }
      waitingBytes += bytes;
      await write(entries, permission);
      waitingBytes -= bytes;
    },
    counts: () => withOwn(store.counts()),
    async stats() {
      return withOwn(await withinMs(store.stats(), TRIAL_MS).catch(() => store.counts()));
    },
    clear: () => store.clear(),
    close: () => store.close(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
