import type { CompiledModel, Task } from '../contracts/compiled-model.ts';
import type { ModelState, ModelStatus } from '../contracts/engine.ts';
import type { Scheduler } from '../contracts/scheduler.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';

/** All that a model needs to answer requests. */
export interface LoadedModel {
  readonly compiled: CompiledModel;
  readonly tokenizer: Tokenizer;
  readonly scheduler: Scheduler;
}

export interface ModelSlotOptions {
  readonly servedName: string;
  readonly modelId: string;
  /** The engine that was asked for, as `/models` reports it. */
  readonly engine: string;
  readonly batchSize: number;
}

/** The place of one model in the engine: there from the start, filled when the model has been loaded. */
export class ModelSlot {
  readonly servedName: string;
  readonly modelId: string;
  readonly #engine: string;
  readonly #batchSize: number;
  #state: ModelState = 'loading';
  #reason: string | undefined;
  #capabilities: readonly Task[] = [];
  #model: LoadedModel | undefined;

  constructor({ servedName, modelId, engine, batchSize }: ModelSlotOptions) {
    this.servedName = servedName;
    this.modelId = modelId;
    this.#engine = engine;
    this.#batchSize = batchSize;
  }

  get state(): ModelState {
    return this.#state;
  }

  /** Why it failed, in one line. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Empty until the model's files have been read. */
  get capabilities(): readonly Task[] {
    return this.#capabilities;
  }

  /** `undefined` unless the state is `ready`. */
  get model(): LoadedModel | undefined {
    return this.#state === 'ready' ? this.#model : undefined;
  }

  /** Tells what the model will be able to do, as soon as its files have been read. */
  setCapabilities(capabilities: readonly Task[]): void {
    this.#capabilities = capabilities;
  }

  setReady(model: LoadedModel): void {
    this.#state = 'ready';
    this.#reason = undefined;
    this.#capabilities = [model.compiled.task];
    this.#model = model;
  }

  /** The model did not load, or its lanes have ended for good. */
  setFailed(reason: string): void {
    this.#state = 'failed';
    this.#reason = reason;
    this.#model = undefined;
  }

  status(): ModelStatus {
    const load = this.#model?.scheduler.load();
    return {
      servedName: this.servedName,
      modelId: this.modelId,
      state: this.#state,
      reason: this.#reason,
      capabilities: this.#capabilities,
      engine: this.#engine,
      batchSize: this.#batchSize,
      queuedItems: load?.queuedItems ?? 0,
      runningItems: load?.runningItems ?? 0,
    };
  }
}
