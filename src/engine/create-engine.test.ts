import { describe, expect, test } from 'vitest';
import type { CompiledModel, GraphOutput, OutputRole, Task } from '../contracts/compiled-model.ts';
import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ItemRows, Scheduler, SubmitOptions } from '../contracts/scheduler.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { createEngine } from './create-engine.ts';
import { createModelSlot, type ModelSlot } from './model-slot.ts';

const context = (signal = new AbortController().signal): RequestContext => ({ signal });

/** One token for each character; the ids are the character codes. */
class FakeTokenizer implements Tokenizer {
  readonly maxSequenceLength = 512;
  readonly calls: unknown[] = [];

  encode(texts: readonly string[]): Promise<readonly Encoding[]> {
    this.calls.push(texts);
    return Promise.resolve(texts.map(encodingOf));
  }

  encodePairs(query: string, documents: readonly string[]): Promise<readonly Encoding[]> {
    this.calls.push([query, documents]);
    return Promise.resolve(documents.map((document) => encodingOf(`${query}|${document}`)));
  }
}

function encodingOf(text: string): Encoding {
  const ids = Int32Array.from(text, (character) => character.charCodeAt(0));
  return { ids, typeIds: new Int32Array(ids.length) };
}

/** Answers at once with what `answer` makes of each item. */
class FakeScheduler implements Scheduler {
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

  reserve() {
    return () => {};
  }

  load() {
    return { queuedItems: 0, queuedTokens: 0, runningItems: 0 };
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

function compiledOf(task: Task, outputWidth: number): CompiledModel {
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

function slotOf(servedName: string, modelId = `org/${servedName}`): ModelSlot {
  return createModelSlot({ servedName, modelId, engine: 'torch', batchSize: 32 });
}

/** An embedder whose vector is [3, 4, length]. */
function embedder() {
  const tokenizer = new FakeTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [3, 4, ids.length]);
  const slot = slotOf('bge');
  slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler });
  return { slot, tokenizer, scheduler };
}

/** A reranker whose logit is the number of characters less 4. */
function reranker() {
  const tokenizer = new FakeTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [ids.length - 4]);
  const slot = slotOf('marco');
  slot.setReady({ compiled: compiledOf('rerank', 1), tokenizer, scheduler });
  return { slot, tokenizer, scheduler };
}

/** A classifier whose logits are 0 and the number of characters less 4. */
function classifier() {
  const tokenizer = new FakeTokenizer();
  const scheduler = new FakeScheduler(({ ids }) => [0, ids.length - 4]);
  const slot = slotOf('mood');
  const classification = { labels: ['short', 'long'], scoreFunction: 'softmax' } as const;
  slot.setReady({ compiled: { ...compiledOf('classify', 2), classification }, tokenizer, scheduler });
  return { slot, tokenizer, scheduler };
}

/** Three outputs at once: a vector [1, length], a weight of 1 for each token, and each token's vector [id, 0]. */
function threefold(): ModelSlot {
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
    drain: () => Promise.resolve(),
  };
  const slot = slotOf('m3');
  const compiled: CompiledModel = { ...compiledOf('embed', 2), tasks: ['embed', 'sparse', 'colbert'], outputs };
  slot.setReady({ compiled, tokenizer: new FakeTokenizer(), scheduler });
  return slot;
}

const rerankRequest = { model: 'marco', query: 'q', documents: ['a', 'abc', 'ab', 'a'], rawScores: true };

describe('embed', () => {
  test('gives one vector for each text, in order, with the tokens of all', async () => {
    const { slot } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab', 'abcd'] }, context());
    expect(result).toEqual({
      model: 'bge',
      vectors: [Float32Array.from([3, 4, 2]), Float32Array.from([3, 4, 4])],
      tokens: 6,
    });
  });

  test('computes equal texts once and counts each of them', async () => {
    const { slot, tokenizer, scheduler } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab', 'c', 'ab'] }, context());
    expect(tokenizer.calls).toEqual([['ab', 'c']]);
    expect(scheduler.submitted[0]).toHaveLength(2);
    expect(result.vectors.map((vector) => vector[2])).toEqual([2, 1, 2]);
    expect(result.tokens).toBe(5);
  });

  test('cuts to the dimensions, normalises again, and does not change the rows of the run', async () => {
    const { slot, scheduler } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions: 2 }, context());
    expect(result.vectors).toEqual([Float32Array.from([0.6, 0.8])]);
    expect(scheduler.rows).toEqual([Float32Array.from([3, 4, 2])]);
  });

  test.each([undefined, 0, 3])('dimensions %s keeps the whole vector as it is', async (dimensions) => {
    const { slot } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions }, context());
    expect(result.vectors).toEqual([Float32Array.from([3, 4, 2])]);
  });

  test.each([4, -1, 1.5, Number.NaN])('dimensions %d is refused before any work', async (dimensions) => {
    const { slot, tokenizer } = embedder();
    const answer = createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions }, context());
    await expect(answer).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'dimensions',
      message: `matryoshka_dim=${dimensions} is not in a valid range. Select between 1 and 3.`,
    });
    expect(tokenizer.calls).toEqual([]);
  });

  test('a text without any token is refused, not run', async () => {
    const { slot, scheduler } = embedder();
    await expect(createEngine([slot]).embed({ model: 'bge', texts: ['a', ''] }, context())).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'input',
    });
    expect(scheduler.submitted).toEqual([]);
  });
});

describe('rerank', () => {
  test('ranks by logit, ties in order, and computes equal documents once', async () => {
    const { slot, tokenizer } = reranker();
    const result = await createEngine([slot]).rerank(rerankRequest, context());
    expect(result).toEqual({
      model: 'marco',
      results: [
        { index: 1, score: 1 },
        { index: 2, score: 0 },
        { index: 0, score: -1 },
        { index: 3, score: -1 },
      ],
      tokens: 3 + 5 + 4 + 3,
    });
    expect(tokenizer.calls).toEqual([['q', ['a', 'abc', 'ab']]]);
  });

  test('gives scores in 0..1 unless raw ones are asked for, and only the best', async () => {
    const { slot } = reranker();
    const request = { ...rerankRequest, rawScores: false, topN: 2 };
    const { results } = await createEngine([slot]).rerank(request, context());
    expect(results).toEqual([
      { index: 1, score: 0.7310585786300049 },
      { index: 2, score: 0.5 },
    ]);
  });
});

describe('which model answers', () => {
  test('the model is checked first, then its state, then the capability, then the options', async () => {
    const { slot } = embedder();
    const loading = slotOf('new');
    const failed = slotOf('old');
    failed.setFailed('config.json is missing');
    const engine = createEngine([slot, loading, failed, reranker().slot]);
    const texts = ['a'];
    const codeOf = (model: string | undefined, dimensions: number) =>
      engine.embed({ model, texts, dimensions }, context()).catch((error: ServiceError) => error.code);
    expect(await codeOf('x', 99)).toBe('model_not_found');
    expect(await codeOf('new', 99)).toBe('model_loading');
    expect(await codeOf('old', 99)).toBe('model_failed');
    expect(await codeOf('marco', 99)).toBe('capability_missing');
    expect(await codeOf('bge', 99)).toBe('invalid_request');
  });

  test('a failed model says why', async () => {
    const failed = slotOf('old');
    failed.setFailed('config.json is missing');
    await expect(createEngine([failed]).embed({ model: 'x', texts: ['a'] }, context())).rejects.toThrow(
      'The model `old` has failed: config.json is missing',
    );
  });

  test('a missing capability is told in the words of the original', async () => {
    const engine = createEngine([embedder().slot, reranker().slot]);
    await expect(engine.rerank({ ...rerankRequest, model: 'bge' }, context())).rejects.toThrow(
      "ModelNotDeployedError: model=`bge` does not support `rerank`. Reason: the loaded model cannot fulfill `rerank`. Options are {'embed'}.",
    );
    await expect(engine.embed({ model: 'marco', texts: ['a'] }, context())).rejects.toThrow(
      'ModelNotDeployedError: model=`marco` does not support `embed` for modality `text`. Reason: ',
    );
  });

  test('the answer carries the served name, whatever the request called the model', async () => {
    const { slot } = embedder();
    const alone = createEngine([slot]);
    const both = createEngine([slot, reranker().slot]);
    expect((await alone.embed({ model: 'text-embedding-3-small', texts: ['a'] }, context())).model).toBe('bge');
    expect((await both.embed({ model: undefined, texts: ['a'] }, context())).model).toBe('bge');
    expect((await both.embed({ model: 'org/bge', texts: ['a'] }, context())).model).toBe('bge');
  });

  test('two models of one served name are refused at start', () => {
    const create = () => createEngine([slotOf('bge', 'org/bge'), slotOf('bge', 'other/bge')]);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_settings' }));
    expect(create).toThrow("expected one model named 'bge', got 'org/bge' and 'other/bge'");
  });

  test('models() tells the status of all, in order', () => {
    const engine = createEngine([slotOf('new'), embedder().slot]);
    expect(engine.models().map(({ servedName, state }) => [servedName, state])).toEqual([
      ['new', 'loading'],
      ['bge', 'ready'],
    ]);
  });
});

describe('cancellation', () => {
  test('a request whose client has gone away is not encoded', async () => {
    const { slot, tokenizer } = embedder();
    const answer = createEngine([slot]).embed({ model: 'bge', texts: ['a'] }, context(AbortSignal.abort()));
    await expect(answer).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(tokenizer.calls).toEqual([]);
  });

  test('a client that goes away during encoding does not reach the queue', async () => {
    const { slot, scheduler } = reranker();
    const client = new AbortController();
    const answer = createEngine([slot]).rerank(rerankRequest, context(client.signal));
    client.abort();
    await expect(answer).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(scheduler.submitted).toEqual([]);
  });

  test('the queue gets the signal', async () => {
    const { slot, scheduler } = embedder();
    const { signal } = new AbortController();
    await createEngine([slot]).embed({ model: 'bge', texts: ['a'] }, context(signal));
    expect(scheduler.signals).toEqual([signal]);
  });
});

test('errors of the queue reach the caller as they are', async () => {
  const error = new ServiceError('lane_lost', 'its process ended');
  const { slot, tokenizer } = embedder();
  const scheduler = new FakeScheduler(() => {
    throw error;
  });
  slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler });
  await expect(createEngine([slot]).embed({ model: 'bge', texts: ['a'] }, context())).rejects.toBe(error);
});

describe('classify', () => {
  test('gives every label of each text, best first, computing equal texts once', async () => {
    const { slot, scheduler } = classifier();
    const request = { model: 'mood', texts: ['abcd', 'a', 'abcd'], rawScores: false };
    const { results, tokens } = await createEngine([slot]).classify(request, context());
    expect(results[0]).toEqual([
      { label: 'short', score: 0.5 },
      { label: 'long', score: 0.5 },
    ]);
    expect(results[1]?.map(({ label }) => label)).toEqual(['short', 'long']);
    expect(results[2]).toEqual(results[0]);
    expect(scheduler.submitted[0]).toHaveLength(2);
    expect(tokens).toBe(9);
  });

  test('raw scores are the logits', async () => {
    const { slot } = classifier();
    const { results } = await createEngine([slot]).classify(
      { model: 'mood', texts: ['abcdef'], rawScores: true },
      context(),
    );
    expect(results).toEqual([
      [
        { label: 'long', score: 2 },
        { label: 'short', score: 0 },
      ],
    ]);
  });

  test('a model that does not classify is refused with what it can do', async () => {
    const { slot } = embedder();
    const answer = createEngine([slot]).classify({ model: 'bge', texts: ['a'], rawScores: false }, context());
    await expect(answer).rejects.toMatchObject({
      code: 'capability_missing',
      message: expect.stringContaining(
        "does not support `classify`. Reason: the loaded model cannot fulfill `classify`. Options are {'embed'}.",
      ),
    });
  });
});

describe('a model of several outputs', () => {
  test('answers each task with its own output', async () => {
    const engine = createEngine([threefold()]);
    const request = { model: 'm3', texts: ['ab', 'a', 'ab'] };
    expect((await engine.embed(request, context())).vectors[0]).toEqual(Float32Array.of(1, 2));
    const sparse = await engine.embedSparse(request, context());
    expect(sparse.vectors[2]).toEqual({ ids: Int32Array.of(97, 98), weights: Float32Array.of(1, 1) });
    const { texts, tokens } = await engine.embedTokens(request, context());
    expect(texts[1]).toEqual({ width: 2, numbers: Float32Array.of(97, 0) });
    expect(tokens).toBe(5);
  });
});
