import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { TextModel } from '../architectures/architecture.ts';
import { bert } from '../architectures/bert.ts';
import { sequenceClassification } from './sequence-classification.ts';

const model = bert.configure({});
const transformer = { type: 'Transformer', path: '', config: undefined };
const pooling = { type: 'Pooling', path: '1_Pooling', config: {} };

const configure = (fields: Partial<ModelFolder>, changes: Partial<TextModel> = {}) =>
  sequenceClassification(fakeModelFolder(fields), { ...model, ...changes }, new Map());

test.each([[[]], [[transformer]]])('modules %j go with one logit', (modules) => {
  const { outputs } = configure({ modules, config: { num_labels: 1 } });
  expect(outputs).toMatchObject([{ name: 'logits', role: 'logits', per: 'item', width: 1 }]);
});

const two = { id2label: { 0: 'no', 1: 'yes' } };
const one = { id2label: { 0: 'LABEL_0' } };
const activationFn = (name: string) => ({ sentence_transformers: { activation_fn: `torch.nn.modules.${name}` } });

test.each<[JsonObject, readonly string[], string]>([
  [{}, ['classify'], 'softmax'],
  [two, ['classify'], 'softmax'],
  [{ ...two, problem_type: 'single_label_classification' }, ['classify'], 'softmax'],
  [{ ...two, problem_type: 'multi_label_classification' }, ['classify'], 'sigmoid'],
  [{ ...two, problem_type: 'regression' }, ['classify'], 'none'],
  [{ ...two, ...activationFn('linear.Identity') }, ['classify'], 'softmax'],
  [one, ['rerank'], 'sigmoid'],
  [{ ...one, ...activationFn('linear.Identity') }, ['rerank'], 'none'],
  [{ ...one, ...activationFn('activation.Sigmoid') }, ['rerank'], 'sigmoid'],
  [{ ...one, sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' }, ['rerank'], 'none'],
  [{ ...one, problem_type: 'regression' }, ['rerank', 'classify'], 'none'],
  [{ ...one, problem_type: 'regression', ...activationFn('activation.Sigmoid') }, ['rerank', 'classify'], 'sigmoid'],
])('%j is for %j, with %s', (config, tasks, scoreFunction) => {
  const head = configure({ config });
  expect(head.tasks).toEqual(tasks);
  expect(head.classification?.scoreFunction).toBe(scoreFunction);
});

test.each<[JsonObject, readonly string[]]>([
  [{}, ['LABEL_0', 'LABEL_1']],
  [{ num_labels: 3 }, ['LABEL_0', 'LABEL_1', 'LABEL_2']],
  [{ id2label: { 1: 'b', 0: 'a' }, num_labels: 5 }, ['a', 'b']],
])('%j has the labels %j', (config, labels) => {
  expect(configure({ config }).classification?.labels).toEqual(labels);
});

test.each([
  ['torch.nn.modules.linear.Identity', 'none'],
  ['torch.nn.modules.activation.Sigmoid', 'sigmoid'],
  ['my.module.Identity', 'none'],
])(
  'the activation %s of config_sentence_transformers.json gives %s, before what config.json says',
  (path, expected) => {
    const other = expected === 'none' ? 'activation.Sigmoid' : 'linear.Identity';
    const fallback = path.startsWith('torch.') ? activationFn(other) : activationFn('linear.Identity');
    const head = configure({ config: { ...one, ...fallback }, sentenceTransformersConfig: { activation_fn: path } });
    expect(head.classification?.scoreFunction).toBe(expected);
  },
);

test('an activation that no score is made with is refused by name', () => {
  expect(() => configure({ config: { ...one, ...activationFn('activation.Tanh') } })).toThrow(
    /activation_fn is 'torch\.nn\.modules\.activation\.Tanh', expected one of Identity, Sigmoid/,
  );
});

test('without any label in the config the rows of the matrix count', () => {
  const tensors = new Map([['classifier.weight', { dims: [1, 768] }]]);
  const head = sequenceClassification(fakeModelFolder(), model, tensors);
  expect([head.tasks, head.classification?.labels]).toEqual([['rerank'], ['LABEL_0']]);
});

test('modules that would change the logit are refused', () => {
  expect(() => configure({ modules: [transformer, pooling] })).toThrow(
    /modules\.json lists Pooling, expected none beside a sequence classification/,
  );
});

test('a family without sequence classification is refused', () => {
  expect(() => configure({ config: { model_type: 'bert' } }, { classifier: undefined })).toThrow(
    /not supported for model_type 'bert'/,
  );
});
