// Models for tests of the engine: real slots over a fake tokenizer and a fake queue that answers at once.

import type { CompiledModel, GraphOutput, OutputRole, Task } from '../../contracts/compiled-model.ts';
import type { EmbedResult, RequestContext } from '../../contracts/engine.ts';
import type { Demand, ItemRows, Scheduler, SubmitOptions } from '../../contracts/scheduler.ts';
import type { Encoding, Tokenizer } from '../../contracts/tokenizer.ts';
import { characterEncoding, fakeTokenizer } from '../../tokenization/testing/fake-tokenizer.ts';
import { createModelSlot, type ModelSlot } from '../model-slot.ts';

export const context = (signal = new AbortController().signal): RequestContext => ({ signal });

/** Keeps what it was asked to encode. */
export function countingTokenizer(told: Partial<Tokenizer> = {}) {
  const calls: unknown[] = [];
  const tokenizer = fakeTokenizer({
    async encode(texts) {
      calls.push(texts);
      return texts.map(characterEncoding);
    },
    async encodePairs(query, documents) {
      calls.push([query, documents]);
      return documents.map((document) => characterEncoding(`${query}|${document}`));
    },
    ...told,
  });
  return { tokenizer, calls };
}

/** Answers at once with what `answer` makes of each item. */
export class FakeScheduler implements Scheduler {
  readonly submitted: (readonly Encoding[])[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  readonly rows: Float32Array[] = [];
  readonly #answer: (encoding: Encoding) => readonly number[];

  constructor(answer: (encoding: Encoding) => readonly number[]) {
    this.#answer = answer;
  }

  submit(items: readonly Encoding[], { signal }: SubmitOptions = {}): Promise<readonly ItemRows[]> {
    this.submitted.push(items);
    this.signals.push(signal);
    const rows = items.map((item) => Float32Array.from(this.#answer(item)));
    this.rows.push(...rows);
    return Promise.resolve(rows.map((row) => [row]));
  }

  reserve(_: Demand) {
    return () => {};
  }

  load() {
    return { queuedItems: 0, queuedTokens: 0, runningItems: 0 };
  }

  failure() {
    return undefined;
  }

  drain() {
    return Promise.resolve();
  }
}

const ROLES: Readonly<Record<Task, OutputRole>> = {
  embed: 'embedding',
  rerank: 'logits',
  classify: 'logits',
  sparse: 'sparse',
  colbert: 'colbert',
};

const outputOf = (role: OutputRole, width: number, per: 'item' | 'token' = 'item'): GraphOutput => ({
  name: role,
  role,
  per,
  width,
  firstToken: 0,
  ignoredIds: [],
});

export function compiledOf(task: Task, outputWidth: number): CompiledModel {
  return {
    graphPath: '/graph.onnx',
    contentKey: 'key',
    tasks: [task],
    precision: 'float32',
    architecture: 'bert',
    inputs: [],
    outputs: [outputOf(ROLES[task], outputWidth)],
    vocabularySize: 1_000,
    maxPositions: 512,
    unreadTensors: [],
  };
}

export function slotOf(servedName: string, modelId = `org/${servedName}`): ModelSlot {
  return createModelSlot({
    servedName,
    modelId,
    engine: 'torch',
    batchSize: 32,
    embeddingDtype: 'float32',
    maxQueuedItems: 32_000,
  });
}

export const PLAIN = { prompts: new Map<string, string>() };

export function vectorsOf({ dense }: EmbedResult) {
  return dense[0]?.vectors;
}

/** An embedder whose vector is [3, 4, length]. */
export function embedder() {
  const { tokenizer, calls } = countingTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [3, 4, ids.length]);
  const slot = slotOf('bge');
  slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
  return { slot, tokenizer, calls, scheduler };
}

/** A reranker whose logit is the number of characters less 4. */
export function reranker() {
  const { tokenizer, calls } = countingTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [ids.length - 4]);
  const slot = slotOf('marco');
  slot.setReady({ compiled: compiledOf('rerank', 1), tokenizer, scheduler, ...PLAIN });
  return { slot, tokenizer, calls, scheduler };
}

/** A classifier whose logits are 0 and the number of characters less 4. */
export function classifier() {
  const { tokenizer, calls } = countingTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [0, ids.length - 4]);
  const slot = slotOf('mood');
  const classification = { labels: ['short', 'long'], scoreFunction: 'softmax' } as const;
  slot.setReady({ compiled: { ...compiledOf('classify', 2), classification }, tokenizer, scheduler, ...PLAIN });
  return { slot, tokenizer, calls, scheduler };
}

/** Three outputs at once: a vector [1, length], a weight of 1 for each token, and each token's vector [id, 0]. */
export function threefold(tokenizer = fakeTokenizer()): ModelSlot {
  const outputs = [outputOf('embedding', 2), outputOf('sparse', 1, 'token'), outputOf('colbert', 2, 'token')];
  const scheduler: Scheduler = {
    submit: (items) =>
      Promise.resolve(
        items.map(({ ids }) => [
          Float32Array.of(1, ids.length),
          new Float32Array(ids.length).fill(1),
          Float32Array.from([...ids].flatMap((id) => [id, 0])),
        ]),
      ),
    reserve: () => () => {},
    load: () => ({ queuedItems: 0, queuedTokens: 0, runningItems: 0 }),
    failure: () => undefined,
    drain: () => Promise.resolve(),
  };
  const slot = slotOf('m3');
  const compiled: CompiledModel = { ...compiledOf('embed', 2), tasks: ['embed', 'sparse', 'colbert'], outputs };
  slot.setReady({ compiled, tokenizer, scheduler, ...PLAIN });
  return slot;
}
