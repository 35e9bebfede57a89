import { createHash } from 'node:crypto';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { hashIds } from './items-in-flight.ts';

/** An input in whose run the inference process has ended so often is not run again. */
const DEATHS = 2;
/** What ended the process may have been something else that passes, as a shortage of memory. */
const REMEMBERED_MS = 3_600_000;
/** Bounds the memory, to about 200 bytes each; the oldest go first. */
const MOST_REMEMBERED = 1024;

interface Suspect {
  /** Of ids and type ids: two inputs of one hash are told apart. */
  readonly digest: string;
  readonly deaths: number;
  readonly atMs: number;
}

/** The inputs in whose runs an inference process has ended. */
export class DeadlyInputs {
  readonly #byHash = new Map<number, Suspect>();
  readonly #nowMs: () => number;

  /** On the clock of `performance.now()`. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A process has ended in a run with this input. */
  blame(encoding: Encoding): void {
    const deaths = this.#deathsOf(encoding) + 1;
    const hash = hashIds(encoding.ids);
    this.#byHash.delete(hash);
    this.#byHash.set(hash, { digest: digestOf(encoding), deaths, atMs: this.#nowMs() });
    for (const oldest of this.#byHash.keys()) {
      if (this.#byHash.size <= MOST_REMEMBERED) break;
      this.#byHash.delete(oldest);
    }
  }

  /** A run with this input has come to its end. */
  acquit(encoding: Encoding): void {
    if (this.isSuspect(encoding)) this.#byHash.delete(hashIds(encoding.ids));
  }

  /** Whether it should share a run with no other. */
  isSuspect(encoding: Encoding): boolean {
    return this.#deathsOf(encoding) > 0;
  }

  /** Why it is not run; `undefined` when it may be. */
  refusalOf(encoding: Encoding): ServiceError | undefined {
    const deaths = this.#deathsOf(encoding);
    if (deaths < DEATHS) return undefined;
    const what = `An input of ${encoding.ids.length} tokens has ended the inference process of this model ${deaths} times`;
    return new ServiceError('lane_lost', `${what}; it is not tried again for ${REMEMBERED_MS / 60_000} minutes`);
  }

  #deathsOf(encoding: Encoding): number {
    // In good times nothing is known, and nothing is hashed.
    if (this.#byHash.size === 0) return 0;
    const suspect = this.#byHash.get(hashIds(encoding.ids));
    if (suspect === undefined || suspect.digest !== digestOf(encoding)) return 0;
    return this.#nowMs() - suspect.atMs < REMEMBERED_MS ? suspect.deaths : 0;
  }
}

function digestOf({ ids, typeIds }: Encoding): string {
  return createHash('sha256').update(ids).update(typeIds).digest('base64url');
}
