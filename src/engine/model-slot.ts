import type { CompiledModel, Task } from '../contracts/compiled-model.ts';
import type { EmbeddingDtype, ModelDetails, ModelState, ModelStatus } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Scheduler, SchedulerLoad } from '../contracts/scheduler.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import { type Lease, ModelUsers } from './lifecycle/model-users.ts';
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
  /** How long a request waits for a model that is loaded for it. */
  readonly loadWaitMs?: number;
  /** A request wants the model, which is not in memory. */
  readonly onWanted?: () => void;
  /** On the clock of `performance.now()`. */
  readonly nowMs?: () => number;
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
  /** Whether a request has the model now. */
  readonly isInUse: boolean;
  /** When a request last had it, on the clock of `performance.now()`. */
  readonly lastUsedMs: number;
  /** Tells which commit of the model's repository is loaded. */
  setCommit(commit: string | undefined): void;
  /** Tells what the model will be able to do, as soon as its files have been read. */
  setCapabilities(capabilities: readonly Task[]): void;
  setLoading(): void;
  setReady(model: LoadedModel): void;
  /** The next request loads the model. Resolves when those that have it are done with it. */
  setUnloaded(): Promise<void>;
  /** The model did not load; `retryAtMs` tells when that is tried again, on the clock of `performance.now()`. */
  setFailed(error: ServiceError, retryAtMs?: number): void;
  /** Why a request cannot have the model, now or soon; `undefined` where it can. */
  refusal(): ServiceError | undefined;
  /** The model, for one request, if it is in memory. */
  take(): Lease<LoadedModel> | undefined;
  /** The model, once it has been loaded. Rejects with the refusal, or with the signal's reason. */
  wait(signal: AbortSignal): Promise<Lease<LoadedModel>>;
  status(): ModelStatus;
}

const NO_LOAD: SchedulerLoad = { queuedItems: 0, queuedTokens: 0, runningItems: 0 };
interface Failure {
  readonly error: ServiceError;
  readonly retryAtMs: number | undefined;
}

export function createModelSlot(options: ModelSlotOptions): ModelSlot {
  const { servedName, modelId, aliases = [], engine, batchSize, embeddingDtype, maxQueuedItems } = options;
  const { loadWaitMs = 0, onWanted = () => {}, nowMs = () => performance.now() } = options;
  const users = new ModelUsers<LoadedModel>({ servedName, waitMs: loadWaitMs, onWanted, nowMs });
  let state: ModelState = 'loading';
  let failure: Failure | undefined;
  let onDemand = false;
  let capabilities: readonly Task[] = [];
  let details: ModelDetails | undefined;
  let revision: string | undefined;
  // A model that is in memory can fail for a while: its queue knows.
  const outage = () => users.model?.scheduler.failure();
  const currentState = (): ModelState => (outage() === undefined ? state : 'failed');
  const currentReason = () => (outage() ?? failure?.error)?.message;

  const retryInS = () =>
    failure?.retryAtMs === undefined ? undefined : Math.max(1, Math.ceil((failure.retryAtMs - nowMs()) / 1000));

  function enter(next: ModelState, why?: Failure): void {
    state = next;
    failure = why;
  }

  function refusal(): ServiceError | undefined {
    if (failure !== undefined) return failedError(servedName, failure.error, retryInS());
    return state === 'loading' && !onDemand ? startingError(servedName) : undefined;
  }

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
      return users.model;
    },
    get isInUse() {
      return users.isInUse;
    },
    get lastUsedMs() {
      return users.lastUsedMs;
    },
    setCommit(commit) {
      revision = commit;
    },
    setCapabilities(known) {
      capabilities = known;
    },
    setLoading() {
      enter('loading');
    },
    setReady(model) {
      enter('ready');
      capabilities = model.compiled.tasks;
      details = detailsOf(model, embeddingDtype);
      users.enter(model);
    },
    setUnloaded() {
      enter('unloaded');
      onDemand = true;
      return users.leave();
    },
    setFailed(error, retryAtMs) {
      enter('failed', { error, retryAtMs });
      void users.leave();
      users.refuse(failedError(servedName, error, retryInS()));
    },
    refusal,
    take: () => users.take(),
    async wait(signal) {
      const error = refusal();
      if (error !== undefined) throw error;
      return users.wait(signal);
    },
    status() {
      const { model } = users;
      const { queuedItems, queuedTokens, runningItems } = model?.scheduler.load() ?? NO_LOAD;
      return {
        servedName,
        modelId,
        revision,
        state: currentState(),
        onDemand,
        reason: currentReason(),
        recovers: currentState() === 'failed' && (model !== undefined || failure?.retryAtMs !== undefined),
        retryInS: retryInS(),
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

function startingError(servedName: string): ServiceError {
  return new ServiceError('model_loading', `The model \`${servedName}\` is still loading`, { param: 'model' });
}

function failedError(servedName: string, reason: ServiceError, retryAfterS: number | undefined): ServiceError {
  if (reason.code === 'shutting_down') return reason;
  return new ServiceError('model_failed', `The model \`${servedName}\` has failed: ${reason.message}`, {
    param: 'model',
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
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
