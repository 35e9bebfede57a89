import type { CompiledModel, Task } from '../contracts/compiled-model.ts';
import type { EmbeddingDtype, ModelDetails, ModelState, ModelStatus } from '../contracts/engine.ts';
import type { Scheduler, SchedulerLoad } from '../contracts/scheduler.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import type { Prompts } from './read-prompts.ts';

/** All that a model needs to answer requests. */
export interface LoadedModel {
  /** The engine that was chosen for it, where the settings left that open. */
  readonly engine?: string;
  readonly compiled: CompiledModel;
  readonly tokenizer: Tokenizer;
  readonly scheduler: Scheduler;
  readonly prompts: Prompts;
}

export interface ModelSlotOptions {
  readonly servedName: string;
  readonly modelId: string;
  /** Other ids under which the same weights are published. */
  readonly aliases?: readonly string[];
  /** The engine that was asked for; `/models` reports it until one is chosen. */
  readonly engine: string;
  readonly batchSize: number;
  /** Of vectors whose request asks for none. */
  readonly embeddingDtype: EmbeddingDtype;
  /** How many items may wait for the model. */
  readonly maxQueuedItems: number;
}

/** The place of one model in the engine: there from the start, filled when the model has been loaded. */
export interface ModelSlot {
  readonly servedName: string;
  readonly modelId: string;
  readonly aliases: readonly string[];
  readonly embeddingDtype: EmbeddingDtype;
  readonly state: ModelState;
  /** Why it failed, in one line. */
  readonly reason: string | undefined;
  /** Empty until the model's files have been read; kept when it fails later. */
  readonly capabilities: readonly Task[];
  /** `undefined` unless the state is `ready`. */
  readonly model: LoadedModel | undefined;
  /** Tells which commit of the model's repository is loaded. */
  setCommit(commit: string | undefined): void;
  /** Tells what the model will be able to do, as soon as its files have been read. */
  setCapabilities(capabilities: readonly Task[]): void;
  setReady(model: LoadedModel): void;
  /** The model did not load. */
  setFailed(reason: string): void;
  status(): ModelStatus;
}

const NO_LOAD: SchedulerLoad = { queuedItems: 0, queuedTokens: 0, runningItems: 0 };

export function createModelSlot(options: ModelSlotOptions): ModelSlot {
  const { servedName, modelId, aliases = [], engine, batchSize, embeddingDtype, maxQueuedItems } = options;
  let state: ModelState = 'loading';
  let reason: string | undefined;
  let capabilities: readonly Task[] = [];
  let model: LoadedModel | undefined;
  let revision: string | undefined;
  // A model that was loaded can fail for a while: its queue knows.
  const failure = () => model?.scheduler.failure();
  const currentState = (): ModelState => (failure() === undefined ? state : 'failed');
  const currentReason = () => failure()?.message ?? reason;
  return {
    servedName,
    modelId,
    aliases,
    embeddingDtype,
    get state() {
      return currentState();
    },
    get reason() {
      return currentReason();
    },
    get capabilities() {
      return capabilities;
    },
    get model() {
      return model;
    },
    setCommit(commit) {
      revision = commit;
    },
    setCapabilities(known) {
      capabilities = known;
    },
    setReady(loaded) {
      state = 'ready';
      reason = undefined;
      capabilities = loaded.compiled.tasks;
      model = loaded;
    },
    setFailed(why) {
      state = 'failed';
      reason = why;
      model = undefined;
    },
    status() {
      const { queuedItems, queuedTokens, runningItems } = model?.scheduler.load() ?? NO_LOAD;
      const details = model === undefined ? undefined : detailsOf(model, embeddingDtype);
      return {
        servedName,
        modelId,
        revision,
        state: currentState(),
        reason: currentReason(),
        capabilities,
        engine: model?.engine ?? engine,
        precision: model?.compiled.precision,
        variant: model?.compiled.variant,
        quality: model?.compiled.quality,
        batchSize,
        queuedItems,
        queuedTokens,
        maxQueuedItems,
        runningItems,
        details,
      };
    },
  };
}

function detailsOf({ compiled, tokenizer, prompts }: LoadedModel, embeddingDtype: EmbeddingDtype): ModelDetails {
  return {
    architecture: compiled.architecture,
    precision: compiled.precision,
    maxSequenceLength: tokenizer.maxSequenceLength,
    embeddingDtype,
    dimensions: compiled.outputs.find(({ role }) => role === 'embedding')?.width,
    labels: compiled.classification?.labels ?? [],
    promptNames: [...prompts.keys()],
  };
}
