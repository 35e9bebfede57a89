import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { fakeTokenizer } from '../tokenization/testing/fake-tokenizer.ts';
import { createModelSlot, type LoadedModel } from './model-slot.ts';

const options = {
  servedName: 'bge',
  modelId: 'BAAI/bge',
  engine: 'torch',
  batchSize: 32,
  maxQueuedItems: 32_000,
  embeddingDtype: 'float32',
} as const;

const loaded: LoadedModel = {
  compiled: {
    graphPath: '/graph.onnx',
    contentKey: 'key',
    tasks: ['embed'],
    precision: 'float32',
    architecture: 'bert',
    inputs: [],
    outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 4, firstToken: 0, ignoredIds: [] }],
    vocabularySize: 10,
    maxPositions: 8,
    unreadTensors: [],
  },
  tokenizer: fakeTokenizer({ maxSequenceLength: 8 }),
  prompts: new Map([['query', 'query: ']]),
  scheduler: {
    submit: () => Promise.resolve([]),
    reserve: () => () => {},
    load: () => ({ queuedItems: 3, queuedTokens: 30, runningItems: 2 }),
    failure: () => undefined,
    drain: () => Promise.resolve(),
  },
};

test('a slot is loading, knows its capabilities early, becomes ready and reports its load', () => {
  const slot = createModelSlot(options);
  const { embeddingDtype: _, ...told } = options;
  expect(slot.status()).toEqual({
    ...told,
    state: 'loading',
    onDemand: false,
    recovers: false,
    reason: undefined,
    capabilities: [],
    queuedItems: 0,
    queuedTokens: 0,
    runningItems: 0,
    details: undefined,
  });
  slot.setCapabilities(['embed']);
  expect(slot.status()).toMatchObject({ state: 'loading', capabilities: ['embed'] });
  expect(slot.model).toBeUndefined();
  slot.setReady(loaded);
  expect(slot.model).toBe(loaded);
  expect(slot.status()).toMatchObject({ state: 'ready', capabilities: ['embed'], queuedItems: 3, runningItems: 2 });
});

test('a model that cannot run for a while is reported as failed, with the reason, and as ready when it can again', () => {
  const slot = createModelSlot(options);
  let failure: ServiceError | undefined;
  slot.setReady({ ...loaded, scheduler: { ...loaded.scheduler, failure: () => failure } });
  failure = new ServiceError('model_failed', 'it has ended 5 times in a row');
  const failed = { state: 'failed', reason: 'it has ended 5 times in a row' };
  expect(slot).toMatchObject(failed);
  expect(slot.status()).toMatchObject(failed);
  failure = undefined;
  expect(slot.status()).toMatchObject({ state: 'ready', reason: undefined });
});

test('a slot that fails keeps its capabilities, has a reason and no model', () => {
  const slot = createModelSlot(options);
  slot.setReady(loaded);
  slot.setFailed(new ServiceError('model_failed', 'its inference process ended 3 times in a row'));
  expect(slot.model).toBeUndefined();
  expect(slot.status()).toMatchObject({
    state: 'failed',
    reason: 'its inference process ended 3 times in a row',
    capabilities: ['embed'],
    queuedItems: 0,
    queuedTokens: 0,
  });
});
