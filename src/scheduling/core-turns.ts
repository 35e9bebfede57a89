/** A model that hangs in a run, or takes long over it, does not hold up the others for longer than this. */
const PATIENCE_MS = 2_000;

/** Calls `action` after `delayMs`, unless the returned call comes first. */
export type Schedule = (action: () => void, delayMs: number) => () => void;

/** A lane, to those who share the cores with it. */
export interface CoreUser {
  /** Threads that a run of it keeps busy. */
  readonly threads: number;
  /** It is its turn: it has to `take` the cores now, or it loses it. */
  onTurn(): void;
}

interface Waiting {
  isImpatient: boolean;
  readonly cancelTimer: () => void;
}

/**
 * The cores that all models of this process share. Each lane has threads for its runs as if it were alone; with two of them at
 * work at once, threads would wait, spinning, for others that have no core. So lanes take turns, run by run: a model that is
 * used alone has all cores, two that are used together have half the time each.
 */
export class CoreTurns {
  readonly #cores: number;
  readonly #schedule: Schedule;
  #taken = 0;
  /** In the order in which they asked. */
  readonly #waiting = new Map<CoreUser, Waiting>();

  constructor(cores: number, schedule: Schedule = scheduleTimer) {
    this.#cores = cores;
    this.#schedule = schedule;
  }

  /** Whether anybody waits: then nobody goes on to a second run before the other's first. */
  get isContended(): boolean {
    return this.#waiting.size > 0;
  }

  /** Takes the cores for the runs of a user until `release`. False: they are in use, `onTurn` is called later. */
  take(user: CoreUser): boolean {
    const own = this.#waiting.get(user);
    const [first = user] = this.#waiting.keys();
    if (own?.isImpatient === true || (first === user && this.#fits(user))) {
      this.#taken += user.threads;
      this.#forget(user);
      return true;
    }
    if (own === undefined) {
      const waiting = { isImpatient: false, cancelTimer: this.#schedule(() => this.#loseTemper(user), PATIENCE_MS) };
      this.#waiting.set(user, waiting);
    }
    return false;
  }

  release(user: CoreUser): void {
    this.#taken -= user.threads;
    for (const next of [...this.#waiting.keys()]) {
      if (!this.#fits(next)) return;
      this.#offer(next);
    }
  }

  /** A user with more threads than there are cores runs alone. */
  #fits({ threads }: CoreUser): boolean {
    return this.#taken === 0 || this.#taken + threads <= this.#cores;
  }

  #offer(user: CoreUser): void {
    user.onTurn();
    this.#forget(user);
  }

  #loseTemper(user: CoreUser): void {
    const waiting = this.#waiting.get(user);
    if (waiting === undefined) return;
    waiting.isImpatient = true;
    this.#offer(user);
  }

  #forget(user: CoreUser): void {
    this.#waiting.get(user)?.cancelTimer();
    this.#waiting.delete(user);
  }
}

const scheduleTimer: Schedule = (action, delayMs) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};
