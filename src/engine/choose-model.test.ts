import { expect, test } from 'vitest';
import type { Task } from '../contracts/compiled-model.ts';
import type { ModelState } from '../contracts/engine.ts';
import { chooseModel } from './choose-model.ts';

function modelOf(servedName: string, capabilities: readonly Task[], state: ModelState = 'ready') {
  return { servedName, modelId: `org/${servedName}`, aliases: [`copy/${servedName}`], state, capabilities };
}

const embedder = modelOf('bge', ['embed']);
const other = modelOf('e5', ['embed']);
const reranker = modelOf('marco', ['rerank']);
const unknown = modelOf('new', [], 'loading');
const broken = modelOf('broken', [], 'failed');

test.each([
  ['any name, with one model', [embedder], 'whatever', 'rerank', 'bge'],
  ['no name, with one model', [unknown], undefined, 'embed', 'new'],
  ['its served name', [embedder, reranker], 'marco', 'rerank', 'marco'],
  ['its served name, whatever the task', [embedder, reranker], 'marco', 'embed', 'marco'],
  ['its full id', [embedder, reranker], 'org/bge', 'embed', 'bge'],
  ['another id of the same weights', [reranker, embedder], 'copy/bge', 'embed', 'bge'],
  ['no name, as the only one with the task', [embedder, reranker], undefined, 'rerank', 'marco'],
  ['no name, as the only one that may have the task', [reranker, unknown], undefined, 'embed', 'new'],
  ['no name, as the only one that may have had the task', [reranker, broken], undefined, 'embed', 'broken'],
  [
    'a served name that is the id of another model',
    [embedder, { ...other, servedName: 'org/bge' }],
    'org/bge',
    'embed',
    'org/bge',
  ],
] as const)('a model is meant by %s', (_name, models, name, task, expected) => {
  expect(chooseModel(models, name, [[task]]).servedName).toBe(expected);
});

test.each([
  [
    'an unknown name',
    [embedder, reranker],
    'x',
    'embed',
    'model_not_found',
    'Engine for model name `x` not found. Available',
  ],
  ['no name and two models with the task', [embedder, other], undefined, 'embed', 'model_not_found', 'not exactly one'],
  [
    'no name and no model with the task',
    [embedder, other],
    undefined,
    'rerank',
    'capability_missing',
    'no model here does `rerank`',
  ],
  ['no name while another candidate loads', [embedder, unknown], undefined, 'embed', 'model_loading', '`new` is still'],
  ['no name while two candidates load', [unknown, unknown], undefined, 'embed', 'model_loading', '`new` is still'],
  [
    'no name when another candidate has failed',
    [embedder, broken],
    undefined,
    'embed',
    'model_not_found',
    "['bge', 'broken']",
  ],
  [
    'no name and two known candidates, one more loading',
    [embedder, other, unknown],
    undefined,
    'embed',
    'model_not_found',
    'not exactly one',
  ],
  ['no model at all', [], 'x', 'embed', 'model_not_found', 'names are []'],
] as const)('%s is refused', (_name, models, name, task, code, message) => {
  const choose = () => chooseModel(models, name, [[task]]);
  expect(choose).toThrow(expect.objectContaining({ code, param: 'model' }));
  expect(choose).toThrow(message);
});

test('the message is that of the original and does not echo a whole body', () => {
  expect(() => chooseModel([embedder, reranker], 'x', [['embed']])).toThrow(
    "Invalid model: Engine for model name `x` not found. Available model names are ['bge', 'marco']",
  );
  expect(() => chooseModel([embedder, reranker], 'x'.repeat(5_000), [['embed']])).toThrow(/^.{100,400}$/);
});

test('with strict names a single model answers to its own names and to none', () => {
  const strict = (name: string | undefined) =>
    chooseModel([embedder], name, [['embed']], { strictNames: true }).servedName;
  expect(strict(embedder.servedName)).toBe(embedder.servedName);
  expect(strict(embedder.modelId)).toBe(embedder.servedName);
  expect(strict(undefined)).toBe(embedder.servedName);
  expect(() => strict('text-embedding-3-small')).toThrow(expect.objectContaining({ code: 'model_not_found' }));
});

test('where the first is meant, it is the first of the settings, even while it loads', () => {
  const first = (...models: Parameters<typeof chooseModel>[0]) =>
    chooseModel(models, undefined, [['embed']], { unnamed: 'first' }).servedName;
  expect(first(reranker, embedder, other)).toBe(embedder.servedName);
  expect(first(unknown, embedder)).toBe(unknown.servedName);
});

test('what is wanted less counts only where nothing else can be had', () => {
  const colbert = { ...embedder, servedName: 'colbert', capabilities: ['colbert'] } as const;
  const choose = (...models: Parameters<typeof chooseModel>[0]) =>
    chooseModel(models, undefined, [['embed'], ['colbert']]).servedName;
  expect(choose(colbert, embedder)).toBe(embedder.servedName);
  expect(choose(colbert, reranker)).toBe('colbert');
});
