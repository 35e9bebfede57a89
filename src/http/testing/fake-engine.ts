import type { DenseVector, EmbeddingDtype, EmbedResult, Engine, ModelStatus } from '../../contracts/engine.ts';

/** An engine that does what a test has told it and refuses everything else. */
export function fakeEngine(told: Partial<Engine> = {}): Engine {
  return {
    embed: async () => refuse('embed'),
    rerank: async () => refuse('rerank'),
    classify: async () => refuse('classify'),
    tokenize: async () => refuse('tokenize'),
    decode: async () => refuse('decode'),
    requireCapability: () => refuse('requireCapability'),
    models: () => refuse('models'),
    ...told,
  };
}

export function modelStatus(servedName: string, rest: Partial<ModelStatus> = {}): ModelStatus {
  return {
    servedName,
    modelId: servedName,
    revision: undefined,
    state: 'ready',
    onDemand: false,
    reason: undefined,
    recovers: false,
    retryInS: undefined,
    capabilities: ['embed'],
    engine: 'onnx',
    precision: undefined,
    variant: undefined,
    quality: undefined,
    batchSize: 32,
    maxQueuedItems: 32_000,
    queuedItems: 0,
    queuedTokens: 0,
    runningItems: 0,
    details: undefined,
    ...rest,
  };
}

/** What `embed` gives for dense vectors alone. */
export function denseResult(vectors: readonly DenseVector[], dtype: EmbeddingDtype = 'float32'): EmbedResult {
  return { model: 'a/b', dense: [{ dtype, vectors }], sparse: [], colbert: [], tokens: 7 };
}

function refuse(method: string): never {
  throw new Error(`The fake engine was not told what to answer to ${method}`);
}
