import { describe, expect, test } from 'vitest';
import type { Engine, RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Demand } from '../contracts/scheduler.ts';
import { createEngine } from './create-engine.ts';
import {
  classifier,
  compiledOf,
  context,
  countingTokenizer,
  embedder,
  FakeScheduler,
  PLAIN,
  reranker,
  slotOf,
  vectorsOf,
} from './testing/fake-models.ts';

const rerankRequest = { model: 'marco', query: 'q', documents: ['a', 'abc', 'ab', 'a'], rawScores: true };

describe('embed', () => {
  test('gives one vector for each text, in order, with the tokens of all', async () => {
    const { slot } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab', 'abcd'] }, context());
    expect(result).toEqual({
      model: 'bge',
      dense: [{ dtype: 'float32', vectors: [Float32Array.from([3, 4, 2]), Float32Array.from([3, 4, 4])] }],
      sparse: [],
      colbert: [],
      tokens: 6,
    });
  });

  test('computes equal texts once and counts each of them', async () => {
    const { slot, calls, scheduler } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab', 'c', 'ab'] }, context());
    expect(calls).toEqual([['ab', 'c']]);
    expect(scheduler.submitted[0]).toHaveLength(2);
    expect(vectorsOf(result)?.map((vector) => vector[2])).toEqual([2, 1, 2]);
    expect(result.tokens).toBe(5);
  });

  test('cuts to the dimensions, normalises again, and does not change the rows of the run', async () => {
    const { slot, scheduler } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions: 2 }, context());
    expect(vectorsOf(result)).toEqual([Float32Array.from([0.6, 0.8])]);
    expect(scheduler.rows).toEqual([Float32Array.from([3, 4, 2])]);
  });

  test.each([undefined, 0, 3])('dimensions %s keeps the whole vector as it is', async (dimensions) => {
    const { slot } = embedder();
    const result = await createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions }, context());
    expect(vectorsOf(result)).toEqual([Float32Array.from([3, 4, 2])]);
  });

  test.each([4, -1, 1.5, Number.NaN])('dimensions %d is refused before any work', async (dimensions) => {
    const { slot, calls } = embedder();
    const answer = createEngine([slot]).embed({ model: 'bge', texts: ['ab'], dimensions }, context());
    await expect(answer).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'dimensions',
      message: `matryoshka_dim=${dimensions} is not in a valid range. Select between 1 and 3.`,
    });
    expect(calls).toEqual([]);
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
    const { slot, calls } = reranker();
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
    expect(calls).toEqual([['q', ['a', 'abc', 'ab']]]);
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
    failed.setFailed(new ServiceError('invalid_model_folder', 'config.json is missing'));
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
    failed.setFailed(new ServiceError('invalid_model_folder', 'config.json is missing'));
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
    const { slot, calls } = embedder();
    const answer = createEngine([slot]).embed({ model: 'bge', texts: ['a'] }, context(AbortSignal.abort()));
    await expect(answer).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(calls).toEqual([]);
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
  slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
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

test('pairs are classified as pairs, and a reranker only where it is welcome', async () => {
  const { slot } = classifier();
  const { results, tokens } = await createEngine([slot]).classify(
    { model: 'mood', texts: [['ab', 'c'], 'abcd'], rawScores: true },
    context(),
  );
  expect(results.map(([best]) => best?.score)).toEqual([0, 0]);
  expect(tokens).toBe(8);
  const engine = createEngine([reranker().slot]);
  const request = { model: 'marco', texts: [['q', 'abc'] as const], rawScores: false };
  expect((await engine.classify({ ...request, rerankers: true }, context())).results).toEqual([
    [{ label: 'LABEL_0', score: 0.7310585786300049 }],
  ]);
  await expect(engine.classify(request, context())).rejects.toMatchObject({ code: 'capability_missing' });
});

test('any model tokenizes and decodes', async () => {
  const engine = createEngine([reranker().slot, embedder().slot]);
  const request = { model: undefined, unnamed: 'first', texts: ['ab'], addSpecialTokens: true } as const;
  const { model, texts } = await engine.tokenize(request, context());
  expect(model).toBe('marco');
  expect(texts[0]?.map(({ text }) => text)).toEqual(['a', 'b']);
  const decode = (id: number) => engine.decode({ model: 'bge', ids: [[104, id]], skipSpecialTokens: true }, context());
  expect((await decode(105)).texts).toEqual(['hi']);
  await expect(decode(1_000)).rejects.toMatchObject({ code: 'invalid_request', param: 'ids' });
});

test('more text than can be listed token by token is refused', async () => {
  const engine = createEngine([embedder().slot]);
  const texts = ['a'.repeat(600_000), 'b'.repeat(400_001)];
  await expect(engine.tokenize({ model: 'bge', texts, addSpecialTokens: true }, context())).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'inputs',
    message: 'inputs: expected at most 1000000 characters in all, prompts included, got 1000001',
  });
});

describe('what only asks the tokenizer has the limits of all work', () => {
  const asks: [string, (engine: Engine, given: RequestContext) => Promise<unknown>][] = [
    ['tokenize', (engine, given) => engine.tokenize({ model: 'bge', texts: ['abcd'], addSpecialTokens: true }, given)],
    ['decode', (engine, given) => engine.decode({ model: 'bge', ids: [[97, 98, 99]], skipSpecialTokens: true }, given)],
  ];

  test.each(asks)('%s finds no room in a full queue', async (_, ask) => {
    const { slot, tokenizer, scheduler } = embedder();
    const demands: Demand[] = [];
    scheduler.reserve = (demand) => {
      demands.push(demand);
      throw new ServiceError('overloaded', 'full');
    };
    slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
    await expect(ask(createEngine([slot]), context())).rejects.toMatchObject({ code: 'overloaded' });
    expect(demands).toEqual([{ items: 1, tokens: 3 }]);
  });

  test.each(asks)('%s ends with its time limit and gives up its room', async (_, ask) => {
    const { slot, scheduler } = embedder();
    const never = () => new Promise<never>(() => {});
    const { tokenizer } = countingTokenizer({ tokenize: never, decode: never });
    let held = 0;
    scheduler.reserve = () => {
      held += 1;
      return () => {
        held -= 1;
      };
    };
    slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
    const limit = new AbortController();
    const answer = ask(createEngine([slot]), context(limit.signal));
    expect(held).toBe(1);
    limit.abort(new ServiceError('deadline_exceeded', 'too late'));
    await expect(answer).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(held).toBe(0);
  });
});

test('a model that the client may not use is refused to it, by its name and where it is the one that is meant', async () => {
  const engine = createEngine([embedder().slot, reranker().slot]);
  const limited = { ...context(), mayUse: (servedName: string) => servedName === 'marco' };
  const refused = { code: 'forbidden', message: "The API key is not for the model 'bge'", param: 'model' };
  for (const model of ['bge', undefined]) {
    await expect(engine.embed({ model, texts: ['a'] }, limited)).rejects.toMatchObject(refused);
  }
  expect(() => engine.requireCapability({ model: 'bge' }, 'image_embed', limited)).toThrow(refused.message);
  expect((await engine.rerank(rerankRequest, limited)).model).toBe('marco');
});
