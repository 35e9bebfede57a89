import { ServiceError } from '../../contracts/errors.ts';
import { abortReason } from '../../scheduling/abort-reason.ts';

/** A model that stays in memory until it is released. */
export interface Lease<Model> {
  readonly model: Model;
  readonly release: () => void;
}

interface Waiter<Model> {
  readonly resolve: (lease: Lease<Model>) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests that use one loaded model. */
interface Users<Model> {
  readonly model: Model;
  count: number;
  readonly onNone: (() => void)[];
}

export interface UsersOptions {
  /** For messages. */
  readonly servedName: string;
  /** How long a request waits for a model that is being loaded for it. */
  readonly waitMs: number;
  /** A request wants a model that is not in memory. */
  readonly onWanted: () => void;
  readonly nowMs: () => number;
}

/** A model that is loaded for a request mostly is there within seconds. */
const RETRY_AFTER_S = 5;

/** Who uses a model now, and who waits for it to be loaded. A model is never taken from whoever has it. */
export class ModelUsers<Model> {
  readonly #options: UsersOptions;
  readonly #waiting = new Set<Waiter<Model>>();
  #users: Users<Model> | undefined;
  #lastUsedMs: number;

  constructor(options: UsersOptions) {
    this.#options = options;
    this.#lastUsedMs = options.nowMs();
  }

  get model(): Model | undefined {
    return this.#users?.model;
  }

  get isInUse(): boolean {
    return (this.#users?.count ?? 0) > 0;
  }

  /** When the last request began or ended, on the clock of `performance.now()`. */
  get lastUsedMs(): number {
    return this.#lastUsedMs;
  }

  /** The model is in memory: whoever waits has it before anybody could drop it again. */
  enter(model: Model): void {
    const users = { model, count: 0, onNone: [] };
    this.#users = users;
    this.#lastUsedMs = this.#options.nowMs();
    for (const waiter of this.#takeWaiting()) waiter.resolve(this.#leaseOf(users));
  }

  /** Nobody gets the model from now on. Resolves when those who have it are done. */
  leave(): Promise<void> {
    const users = this.#users;
    this.#users = undefined;
    return new Promise((resolve) => {
      if (users === undefined || users.count === 0) resolve();
      else users.onNone.push(resolve);
    });
  }

  /** The model will not come: whoever waits for it is told so. */
  refuse(error: ServiceError): void {
    for (const waiter of this.#takeWaiting()) waiter.reject(error);
  }

  /** The model, if it is in memory. */
  take(): Lease<Model> | undefined {
    return this.#users === undefined ? undefined : this.#leaseOf(this.#users);
  }

  /**
   * Has the model loaded, and takes it. Rejects with `model_loading` when it has not come in time, with the signal's reason
   * once that aborts.
   */
  async wait(signal: AbortSignal): Promise<Lease<Model>> {
    if (signal.aborted) throw abortReason(signal);
    const { servedName, waitMs, onWanted } = this.#options;
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Model> = {
        resolve: (lease) => {
          end();
          resolve(lease);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      const cancel = () => waiter.reject(abortReason(signal));
      const giveUp = () => waiter.reject(stillLoading(servedName, waitMs));
      const timer = setTimeout(giveUp, waitMs);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        this.#waiting.delete(waiter);
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.add(waiter);
      onWanted();
    });
  }

  #takeWaiting(): readonly Waiter<Model>[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  #leaseOf(users: Users<Model>): Lease<Model> {
    users.count += 1;
    this.#lastUsedMs = this.#options.nowMs();
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      users.count -= 1;
      this.#lastUsedMs = this.#options.nowMs();
      if (users.count === 0) for (const resolve of users.onNone.splice(0)) resolve();
    };
    return { model: users.model, release };
  }
}

function stillLoading(servedName: string, waitMs: number): ServiceError {
  const message = `The model \`${servedName}\` is being loaded, which takes longer than ${waitMs / 1000} s; try again`;
  return new ServiceError('model_loading', message, { param: 'model', retryAfterS: RETRY_AFTER_S });
}
