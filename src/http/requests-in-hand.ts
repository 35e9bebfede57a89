import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../contracts/errors.ts';

/** The requests that have passed the door and whose replies are not complete, for whoever ends the server. */
export class RequestsInHand {
  readonly #abandoned = new AbortController();
  readonly #onNone: (() => void)[] = [];
  #count = 0;

  constructor() {
    setMaxListeners(0, this.#abandoned.signal);
  }

  /** Aborts, with `shutting_down`, when they are not waited for any longer. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  add(response: ServerResponse): void {
    this.#count += 1;
    response.once('close', () => {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#onNone.splice(0)) resolve();
    });
  }

  /** Resolves when there is none. */
  whenNone(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count === 0) resolve();
      else this.#onNone.push(resolve);
    });
  }

  /** They are answered with 503 now. */
  abandon(): void {
    this.#abandoned.abort(
      new ServiceError('shutting_down', 'The server is shutting down and could not finish in time'),
    );
  }
}
