import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import type { ModelFolder } from '../../../contracts/model-folder.ts';
import { isGenerativeReranker, readGenerativeReranker } from './generative-reranker.ts';
import { MXBAI_RERANK_V2, QWEN3_RERANKER } from './pair-prompts.ts';
import { tokenIds } from './token-ids.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'generative-'));
  const vocab = { no: 0, yes: 1, 0: 2, 1: 3 };
  writeFileSync(path.join(root, 'tokenizer.json'), JSON.stringify({ model: { vocab }, added_tokens: [] }));
});
afterAll(() => rmSync(root, { recursive: true }));

function folderOf(changes: Partial<ModelFolder> = {}, config: JsonObject = {}): ModelFolder {
  return {
    id: 'some/model',
    path: root,
    files: ['tokenizer.json'],
    config: { architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3', ...config },
    modules: [],
    sentenceBertConfig: undefined,
    sentenceTransformersConfig: undefined,
    tokenizerConfig: undefined,
    ...changes,
  };
}

const withTokens = (config: JsonObject): Partial<ModelFolder> => ({
  modules: [
    { type: 'Transformer', path: '', config: undefined },
    { type: 'LogitScore', path: '1_LogitScore', config },
  ],
});

describe('a language model reranks', () => {
  test.each([
    [{}, { architectures: ['Qwen2ForCausalLM'], model_type: 'qwen2' }, true],
    [{}, {}, true],
    [{}, { architectures: ['Qwen3Model'] }, false],
    [{}, { architectures: ['LlamaForCausalLM'], model_type: 'llama' }, false],
    [withTokens({}), { architectures: ['LlamaForCausalLM'], model_type: 'llama' }, true],
    [{ modules: [{ type: 'Transformer', path: '', config: undefined }] }, {}, false],
  ])('%o %o: %s', (changes, config, expected) => {
    expect(isGenerativeReranker(folderOf(changes, config))).toBe(expected);
  });
});

describe('the prompt', () => {
  test('is that of Qwen3-Reranker unless the name says otherwise', () => {
    expect(readGenerativeReranker(folderOf())).toEqual({
      tokens: { yes: 1, no: 0 },
      prompt: QWEN3_RERANKER.prompt,
    });
  });

  test.each([
    [{ id: 'mixedbread-ai/mxbai-rerank-base-v2' }, {}],
    [{}, { _name_or_path: 'mxbai-rerank-large-v2' }],
  ])('is that of mxbai-rerank-v2 for %o %o', (changes, config) => {
    expect(readGenerativeReranker(folderOf(changes, config))).toEqual({
      tokens: { yes: 3, no: 2 },
      prompt: MXBAI_RERANK_V2.prompt,
    });
  });

  test.each([
    [1, 0, QWEN3_RERANKER],
    [3, 2, MXBAI_RERANK_V2],
  ])('belongs to the tokens %i and %i of a LogitScore', (yes, no, known) => {
    const folder = folderOf(withTokens({ true_token_id: yes, false_token_id: no }));
    expect(readGenerativeReranker(folder)).toEqual({ tokens: { yes, no }, prompt: known.prompt });
  });

  test('is not known for other tokens', () => {
    expect(() => readGenerativeReranker(folderOf(withTokens({ true_token_id: 1, false_token_id: null })))).toThrow(
      "model 'some/model': 1_LogitScore/config.json names tokens 1 and undefined, expected those of 'yes' and 'no' (Qwen3-Reranker) or '1' and '0'",
    );
  });
});

test('answers that the vocabulary does not have are refused', () => {
  const other = mkdtempSync(path.join(root, 'other-'));
  writeFileSync(path.join(other, 'tokenizer.json'), JSON.stringify({ model: { vocab: [['yes', -1]] } }));
  expect(tokenIds(folderOf({ path: other }), ['yes', 'no'])).toEqual([0, undefined]);
  expect(() => readGenerativeReranker(folderOf({ path: other }))).toThrow(/its vocabulary has no 'yes' and 'no'/);
});

test('a tokenizer.json that cannot be read is refused', () => {
  expect(() => tokenIds(folderOf({ path: path.join(root, 'nowhere') }), ['yes'])).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder' }),
  );
});

test('added tokens have ids too', () => {
  const added = mkdtempSync(path.join(root, 'added-'));
  writeFileSync(
    path.join(added, 'tokenizer.json'),
    JSON.stringify({ model: { vocab: {} }, added_tokens: [{ id: 9, content: 'yes' }] }),
  );
  expect(tokenIds(folderOf({ path: added }), ['yes'])).toEqual([9]);
});
