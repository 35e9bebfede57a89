import type { Engine, ModelStatus } from '../../contracts/engine.ts';

/** An engine that does what a test has told it and refuses everything else. */
export function fakeEngine(told: Partial<Engine> = {}): Engine {
  return {
    embed: async () => refuse('embed'),
    rerank: async () => refuse('rerank'),
    classify: async () => refuse('classify'),
    embedSparse: async () => refuse('embedSparse'),
    embedTokens: async () => refuse('embedTokens'),
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
    reason: undefined,
    capabilities: ['embed'],
    engine: 'onnx',
    precision: undefined,
    variant: undefined,
    quality: undefined,
    batchSize: 32,
    queuedItems: 0,
    runningItems: 0,
    ...rest,
  };
}

function refuse(method: string): never {
  throw new Error(`The fake engine was not told what to answer to ${method}`);
}
