/** What is served in turn: an item of a request. */
export interface Turn {
  readonly turn: number;
  /** In tokens. */
  readonly length: number;
}

/**
 * Fair queueing between requests. Time is counted in tokens that each request in hand has been due: 512 tokens served while
 * four requests wait move it on by 128. The turn of a request's first item is the time of its arrival; each further one comes
 * as many tokens later as lie before it in its request. So each request gets at least its share of the tokens served:
 *
 * - a query of one line goes before all of a bulk request but what that one is due by then, however long it is;
 * - requests of one item each are served in the order of their arrival;
 * - nothing starves: time passes every turn, and what arrives later has a later one.
 */
export class FairTurns {
  #now = 0;

  /** The turns of a request's items, by their lengths in tokens. */
  turnsOf(lengths: readonly number[]): readonly number[] {
    let turn = this.#now;
    return lengths.map((length) => {
      const own = turn;
      turn += length;
      return own;
    });
  }

  /**
   * A run goes out while so many requests are in hand; its first item is the one whose turn it was. Items that only fill it
   * up, before their turn, cost nobody anything and do not count.
   */
  serve(run: readonly Turn[], requests: number): void {
    const now = Math.max(this.#now, run[0]?.turn ?? 0);
    const dueTokens = run.reduce((sum, { turn, length }) => (turn <= now ? sum + length : sum), 0);
    this.#now = now + dueTokens / Math.max(1, requests);
  }
}
