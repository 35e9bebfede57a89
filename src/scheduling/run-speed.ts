/** A run counts half after as many tokens again as this. */
const MEMORY_TOKENS = 20_000;
/** The best speed is one that was kept up for so long: a single answer may be read late, with the next one at its heels. */
const WINDOW_MS = 100;

/** How fast runs are, from the runs themselves. */
export class RunSpeed {
  #tokens = 0;
  #ms = 0;
  #windowTokens = 0;
  #windowMs = 0;
  #best: number | undefined;

  record(tokens: number, ms: number): void {
    const kept = 0.5 ** (tokens / MEMORY_TOKENS);
    this.#tokens = this.#tokens * kept + tokens;
    this.#ms = this.#ms * kept + ms;
    this.#windowTokens += tokens;
    this.#windowMs += ms;
    if (this.#windowMs < WINDOW_MS) return;
    this.#best = Math.max(this.#best ?? 0, this.#windowTokens / this.#windowMs);
    this.#windowTokens = 0;
    this.#windowMs = 0;
  }

  /** Of one lane while it works; `undefined` before the first run. */
  get tokensPerMs(): number | undefined {
    return this.#ms > 0 ? this.#tokens / this.#ms : undefined;
  }

  /** The best that a lane has kept up; `undefined` until it is known. */
  get bestTokensPerMs(): number | undefined {
    return this.#best;
  }
}
