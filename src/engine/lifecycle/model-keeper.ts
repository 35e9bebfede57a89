import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';
import type { ModelSlot } from '../model-slot.ts';
import { asServiceError } from './as-service-error.ts';
import type { DroppableResident, MemoryBudget } from './memory-budget.ts';
import type { ModelSource, OpenModel } from './model-source.ts';
import { retryDelayMs } from './retry-delay.ts';

/** Calls `action` after `delayMs`, unless the returned call comes first. */
export type Schedule = (action: () => void, delayMs: number) => () => void;

export interface KeeperOptions {
  readonly slot: ModelSlot;
  readonly source: ModelSource;
  readonly budget: MemoryBudget;
  /** Only prepared at the start, and loaded for the first request. */
  readonly lazy: boolean;
  /** Dropped when no request has used it for so long; 0 never. */
  readonly idleMs: number;
  /** Whether loading is tried again, after a while, when it failed for a cause that can pass. */
  readonly retries: boolean;
  /** It is in memory, or a request can load it. */
  readonly onServing: () => void;
  readonly logger: Logger;
  /** Once it aborts, nothing is loaded any more. */
  readonly signal: AbortSignal;
  readonly schedule?: Schedule;
  readonly nowMs?: () => number;
}

interface LoadRules {
  /** False: it is prepared and waits for its first request. */
  readonly open: boolean;
  /** Whether other models may be dropped for it. */
  readonly mayDrop: boolean;
}

/** Takes one model into memory and out of it: at the start, for requests, for others that need room, and once it is idle. */
export class ModelKeeper {
  readonly #options: KeeperOptions;
  readonly #schedule: Schedule;
  readonly #nowMs: () => number;
  #open: OpenModel | undefined;
  #loading: Promise<ServiceError | undefined> | undefined;
  /** The model that it had before, which still answers what it was asked. */
  #closing: Promise<void> = Promise.resolve();
  /** What it took when it was last in memory; an estimate before that. */
  #knownBytes = 0;
  #failures = 0;
  #cancelTimer = (): void => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#schedule = options.schedule ?? scheduleTimer;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Whether it has failed and is tried again by itself. */
  get willRetry(): boolean {
    return this.#options.slot.status().recovers;
  }

  /** The model as one that takes memory; `undefined` while it is not there. */
  async resident(): Promise<DroppableResident | undefined> {
    await this.#measure();
    if (this.#open === undefined) return undefined;
    const { isInUse, lastUsedMs } = this.#options.slot;
    return { bytes: this.#knownBytes, isInUse, lastUsedMs, drop: () => this.#unload('another one needs its memory') };
  }

  /** Loads it as a start does. Resolves with why it failed; never rejects. */
  start(): Promise<ServiceError | undefined> {
    return this.#load({ open: !this.#options.lazy, mayDrop: false });
  }

  /** A request waits for it. */
  wanted(): void {
    // A load that only prepares it may just be ending.
    void (this.#loading ?? Promise.resolve()).then(() => {
      if (this.#options.slot.state === 'unloaded') void this.#load({ open: true, mayDrop: true });
    });
  }

  /** Tries once more where it has failed, whatever the cause was. */
  retry(): void {
    if (this.#options.slot.state === 'failed' && this.#open === undefined) void this.start();
  }

  #load(rules: LoadRules): Promise<ServiceError | undefined> {
    this.#loading ??= this.#loadOnce(rules).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadOnce({ open, mayDrop }: LoadRules): Promise<ServiceError | undefined> {
    const { slot, source, budget, onServing, logger } = this.#options;
    const { servedName } = slot;
    this.#cancelTimer();
    // One that has failed stays that until it works: a server that is ready for its other models remains so meanwhile.
    if (slot.state !== 'failed') slot.setLoading();
    try {
      const prepared = await source();
      await this.#closing;
      this.#knownBytes ||= prepared.estimatedBytes;
      const room = { neededBytes: this.#knownBytes, mayDrop };
      const isThere = open && (await budget.open(room, async () => this.#enter(await prepared.open())));
      this.#failures = 0;
      if (isThere === true) {
        logger.info(`Model '${servedName}' is ready.`);
      } else {
        void slot.setUnloaded();
        const why = open ? ', since there is no memory left for it' : '';
        logger.info(`Model '${servedName}' is loaded for its first request${why}.`);
      }
      onServing();
      return undefined;
    } catch (error) {
      return this.#fail(asServiceError(error));
    }
  }

  #enter(open: OpenModel): true {
    this.#open = open;
    this.#options.slot.setReady(open.model);
    this.#watchIdle();
    return true;
  }

  #fail(error: ServiceError): ServiceError {
    const { slot, retries, signal, logger } = this.#options;
    if (signal.aborted) {
      slot.setFailed(new ServiceError('shutting_down', 'The server is shutting down'));
      return error;
    }
    this.#failures += 1;
    const delayMs = retries && error.canPass ? retryDelayMs(this.#failures) : undefined;
    slot.setFailed(error, delayMs === undefined ? undefined : this.#nowMs() + delayMs);
    if (delayMs === undefined) return error;
    const again = `it is tried again in ${delayMs / 1000} s`;
    logger.warning(`Model '${slot.servedName}' cannot be served yet, ${again}: ${error.message}`);
    this.#cancelTimer = this.#schedule(() => void this.start(), delayMs);
    return error;
  }

  #watchIdle(): void {
    const { slot, idleMs } = this.#options;
    if (idleMs === 0) return;
    const idleForMs = slot.isInUse ? 0 : this.#nowMs() - slot.lastUsedMs;
    if (idleForMs >= idleMs) void this.#unload('no request has used it for a while');
    else this.#cancelTimer = this.#schedule(() => this.#watchIdle(), idleMs - idleForMs);
  }

  /** Requests that have it finish first; one that comes from now on loads it again. */
  async #unload(why: string): Promise<void> {
    const { slot, logger } = this.#options;
    const open = this.#open;
    if (open === undefined) return;
    this.#cancelTimer();
    this.#open = undefined;
    this.#closing = slot.setUnloaded().then(() => open.close());
    await this.#closing;
    logger.info(`Model '${slot.servedName}' has been dropped: ${why}. The next request loads it again.`);
  }

  async #measure(): Promise<void> {
    this.#knownBytes = (await this.#open?.memoryBytes()) ?? this.#knownBytes;
  }
}

/** Those that are in memory. */
export async function residentsOf(keepers: readonly ModelKeeper[]): Promise<readonly DroppableResident[]> {
  const residents = await Promise.all(keepers.map((keeper) => keeper.resident()));
  return residents.filter((resident) => resident !== undefined);
}

const scheduleTimer: Schedule = (action, delayMs) => {
  const timer = setTimeout(action, delayMs).unref();
  return () => clearTimeout(timer);
};
