import { ServiceError } from '../../contracts/errors.ts';
import { chooseDropped, type Resident } from './choose-dropped.ts';

export interface DroppableResident extends Resident {
  /** Resolves when its memory is free. */
  drop(): Promise<void>;
}

export interface RoomRequest {
  readonly neededBytes: number;
  /** Whether others may be dropped for it. */
  readonly mayDrop: boolean;
}

export interface MemoryBudgetOptions {
  /** 0 sets no limit. */
  readonly limitBytes: number;
  /** The models in memory. */
  readonly residents: () => Promise<readonly DroppableResident[]>;
}

const MB = 1e6;

/**
 * The memory that all models share. With a limit, models are opened one after the other: each has what it takes by the time
 * that the next one asks.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /**
   * Opens a model once there is room for it. Resolves with `undefined` when others would have to be dropped and may not;
   * rejects with `model_failed` when it does not fit even alone.
   */
  async open<T>(request: RoomRequest, openNow: () => Promise<T>): Promise<T | undefined> {
    if (this.#options.limitBytes === 0) return openNow();
    const turn = this.#last.then(async () => ((await this.#makeRoom(request)) ? openNow() : undefined));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #makeRoom({ neededBytes, mayDrop }: RoomRequest): Promise<boolean> {
    const { limitBytes, residents } = this.#options;
    const dropped = chooseDropped(await residents(), neededBytes, limitBytes);
    if (dropped === undefined) {
      const [needed, limit] = [neededBytes, limitBytes].map((bytes) => Math.ceil(bytes / MB));
      const message = `it needs about ${needed} MB, and --max-memory allows ${limit} MB for all models`;
      throw new ServiceError('model_failed', message);
    }
    if (dropped.length > 0 && !mayDrop) return false;
    await Promise.all(dropped.map((resident) => resident.drop()));
    return true;
  }
}
