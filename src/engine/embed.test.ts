import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { createEngine } from './create-engine.ts';
import {
  compiledOf,
  context,
  countingTokenizer,
  embedder,
  PLAIN,
  threefold,
  vectorsOf,
} from './testing/fake-models.ts';

test.each([
  ['the ranges of int8', { dtypes: ['int8'] }, { encode: () => new Promise<never>(() => {}) }],
  [
    'the names of tokens',
    { outputs: ['sparse'], tokenTexts: true },
    { tokenTexts: () => new Promise<never>(() => {}) },
  ],
] as const)('a request that waits for %s ends with its time limit', async (_, wish, told) => {
  const slot = threefold(countingTokenizer(told).tokenizer);
  const limit = new AbortController();
  const answer = createEngine([slot]).embed({ model: 'm3', texts: ['ab'], ...wish }, context(limit.signal));
  setImmediate(() => limit.abort(new ServiceError('deadline_exceeded', 'too late')));
  await expect(answer).rejects.toMatchObject({ code: 'deadline_exceeded' });
});

describe('a model of several outputs', () => {
  const request = { model: 'm3', texts: ['ab', 'a', 'ab'] };

  test('gives each output that is asked for, all of them in one run', async () => {
    const engine = createEngine([threefold()]);
    expect(vectorsOf(await engine.embed(request, context()))?.[0]).toEqual(Float32Array.of(1, 2));
    const all = { ...request, outputs: ['dense', 'sparse', 'colbert'], tokenTexts: true } as const;
    const { dense, sparse, colbert, tokens } = await engine.embed(all, context());
    expect(dense[0]?.vectors[1]).toEqual(Float32Array.of(1, 1));
    expect(sparse[2]).toEqual({ ids: Int32Array.of(97, 98), weights: Float32Array.of(1, 1), tokens: ['a', 'b'] });
    expect(colbert[1]).toEqual({ width: 2, numbers: Float32Array.of(97, 0) });
    expect(tokens).toBe(5);
  });

  test('a model without one of them is refused with what it has', async () => {
    const engine = createEngine([embedder().slot]);
    const answer = engine.embed({ model: 'bge', texts: ['a'], outputs: ['dense', 'sparse'] }, context());
    await expect(answer).rejects.toMatchObject({
      code: 'capability_missing',
      message: expect.stringContaining('cannot fulfill `sparse`'),
    });
  });

  test('a vector for each token is not cut or quantised', async () => {
    const engine = createEngine([threefold()]);
    const embed = (options: object) => engine.embed({ ...request, outputs: ['colbert'], ...options }, context());
    await expect(embed({ dimensions: 1 })).rejects.toMatchObject({ code: 'invalid_request', param: 'dimensions' });
    await expect(embed({ dtypes: ['int8'] })).rejects.toMatchObject({ param: 'embedding_dtype' });
  });
});

describe('what a request may ask of its texts', () => {
  test('ids enter the model as they are; one that it has not is named before any work', async () => {
    const { slot, calls, scheduler } = embedder();
    const engine = createEngine([slot]);
    const result = await engine.embed({ model: 'bge', texts: ['ab', [5, 6, 7], 'ab', [5, 6, 7]] }, context());
    expect(calls).toEqual([['ab']]);
    expect(scheduler.submitted[0]?.map(({ ids }) => [...ids])).toEqual([
      [97, 98],
      [5, 6, 7],
    ]);
    expect(vectorsOf(result)?.map((vector) => vector[2])).toEqual([2, 3, 2, 3]);
    for (const id of [1_000, -1, 2 ** 32]) {
      await expect(engine.embed({ model: 'bge', texts: [[5], [id]] }, context())).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(`Token id ${id} at position 0`),
      });
    }
    expect(scheduler.submitted).toHaveLength(1);
  });

  test('a prompt goes before each text, and never before ids', async () => {
    const { slot, tokenizer, calls, scheduler } = embedder();
    const prompts = new Map([['query', 'q: ']]);
    slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, prompts });
    const engine = createEngine([slot]);
    const embed = (texts: (string | number[])[]) =>
      engine.embed({ model: 'bge', texts, prompt: { inputType: 'query' } }, context());
    await embed(['a', 'b']);
    expect(calls).toEqual([['q: a', 'q: b']]);
    await expect(embed(['a', [1]])).rejects.toMatchObject({ code: 'invalid_request', param: 'input' });
  });

  test('with truncation off a text that is too long is refused with the counts', async () => {
    const { tokenizer } = countingTokenizer({ maxSequenceLength: 3 });
    const { slot, scheduler } = embedder();
    slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
    const answer = createEngine([slot]).embed(
      { model: 'bge', texts: ['a', 'a', 'abcd'], truncation: 'none' },
      context(),
    );
    await expect(answer).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'input[2]',
      message: 'input[2]: expected at most 3 tokens, special ones included, since truncation is off; got 4',
    });
    expect(scheduler.submitted).toEqual([]);
  });

  test('a vast text is counted only so far', async () => {
    const { tokenizer } = countingTokenizer({ maxSequenceLength: 3 });
    const { slot, scheduler } = embedder();
    slot.setReady({ compiled: compiledOf('embed', 3), tokenizer, scheduler, ...PLAIN });
    const request = { model: 'bge', texts: ['a'.repeat(48)], truncation: 'none' } as const;
    await expect(createEngine([slot]).embed(request, context())).rejects.toThrow('is off; got at least 48');
  });

  test('vectors are normalised on demand', async () => {
    const { slot } = embedder();
    const engine = createEngine([slot]);
    const embed = (normalize: boolean) => engine.embed({ model: 'bge', texts: ['a'.repeat(12)], normalize }, context());
    expect(vectorsOf(await embed(true))).toEqual([Float32Array.of(3 / 13, 4 / 13, 12 / 13)]);
    expect(vectorsOf(await embed(false))).toEqual([Float32Array.of(3, 4, 12)]);
  });

  test('several dtypes come from one run; the ranges are computed once', async () => {
    const { slot, scheduler } = embedder();
    const engine = createEngine([slot]);
    const request = { model: 'bge', texts: ['ab'], dtypes: ['float32', 'int8', 'ubinary'] } as const;
    const { dense } = await engine.embed(request, context());
    expect(dense.map(({ dtype }) => dtype)).toEqual(['float32', 'int8', 'ubinary']);
    expect(dense[2]?.vectors).toEqual([Uint8Array.of(0b1110_0000)]);
    // 3 and 4 never vary; 2 is the shortest text of all.
    expect(dense[1]?.vectors).toEqual([Int8Array.of(0, 0, -128)]);
    expect(scheduler.submitted).toHaveLength(2);
    await engine.embed(request, context());
    expect(scheduler.submitted).toHaveLength(3);
  });
});
