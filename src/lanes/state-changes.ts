import type { ServiceError } from '../contracts/errors.ts';
import type { LaneState } from '../contracts/lane.ts';

interface Waiter {
  resolve(): void;
  reject(error: ServiceError): void;
}

/** The state of a lane, and those who wait for it to change. */
export class StateChanges {
  #state: LaneState;
  /** Why no run will ever be taken again. */
  #end: ServiceError | undefined;
  readonly #listeners = new Set<(state: LaneState) => void>();
  #waiters: Waiter[] = [];

  constructor(initial: LaneState) {
    this.#state = initial;
  }

  get state(): LaneState {
    return this.#state;
  }

  /** `end` comes with `failed` and `closed` and rejects whoever waits; the first one stays. Entering it again does nothing. */
  enter(state: LaneState, end?: ServiceError): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#end ??= end;
    this.#settleWaiters();
    // Not within the call that changed the state: a listener that starts a run must not find that call half done.
    for (const listener of this.#listeners) queueMicrotask(() => listener(state));
  }

  listen(listener: (state: LaneState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves in the state `ready`, at once when it is that now; rejects once there is an end. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#settleWaiters();
    });
  }

  #settleWaiters(): void {
    const end = this.#end;
    if (this.#state !== 'ready' && end === undefined) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) {
      if (end === undefined) waiter.resolve();
      else waiter.reject(end);
    }
  }
}
