import type { LoadedModel } from '../model-slot.ts';

/** A model whose files have been read and whose graph is there; nothing of it is in memory. */
export interface PreparedModel {
  /** What its processes will take, about. */
  readonly estimatedBytes: number;
  /** Rejects with a `ServiceError`. */
  open(): Promise<OpenModel>;
}

/** A model in memory. */
export interface OpenModel {
  readonly model: LoadedModel;
  /** What its processes take now; `undefined` where the system does not tell. */
  memoryBytes(): Promise<number | undefined>;
  /** Answers what it was asked, then ends its processes; resolves when they are gone. */
  close(): Promise<void>;
}

/** Where a model comes from: called each time that it is loaded. Rejects with a `ServiceError`. */
export type ModelSource = () => Promise<PreparedModel>;
