import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { bert } from '../architectures/bert.ts';
import { sequenceClassification } from './sequence-classification.ts';

const model = bert.configure({});
const transformer = { type: 'Transformer', path: '', config: undefined };
const pooling = { type: 'Pooling', path: '1_Pooling', config: {} };

test.each([[[]], [[transformer]]])('modules %j go with one logit', (modules) => {
  expect(sequenceClassification(fakeModelFolder({ modules, config: { num_labels: 1 } }), model)).toMatchObject({
    outputName: 'logits',
    outputWidth: 1,
  });
});

test('modules that would change the logit are refused', () => {
  expect(() => sequenceClassification(fakeModelFolder({ modules: [transformer, pooling] }), model)).toThrow(
    /modules\.json lists Pooling, expected none beside a sequence classification/,
  );
});

test('a family without sequence classification is refused', () => {
  const folder = fakeModelFolder({ config: { model_type: 'bert' } });
  expect(() => sequenceClassification(folder, { ...model, classifier: undefined })).toThrow(
    /not supported for model_type 'bert'/,
  );
});
