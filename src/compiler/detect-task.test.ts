import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { detectTask } from './detect-task.ts';

const modules = [{ type: 'Transformer', path: '', config: undefined }];
const oneLabel = { id2label: { 0: 'LABEL_0' } };

test.each([
  [{ architectures: ['BertModel'] }, [], 'embed'],
  [{ architectures: ['BertForMaskedLM'] }, [], 'embed'],
  [{ architectures: ['BertForPreTraining'] }, [], 'embed'],
  [{}, [], 'embed'],
  [{ architectures: ['BertForTokenClassification'] }, modules, 'embed'],
  [{ architectures: ['BertForSequenceClassification'], ...oneLabel }, [], 'rerank'],
  [{ architectures: ['BertForSequenceClassification'], ...oneLabel }, modules, 'rerank'],
  [{ architectures: ['BertForSequenceClassification'], num_labels: 1 }, [], 'rerank'],
  [{ architectures: ['BertForSequenceClassification'], id2label: { 0: 'a', 1: 'b', 2: 'c' } }, [], 'classify'],
  [{ architectures: ['BertForSequenceClassification'] }, [], 'classify'],
])('%j is for %s', (config, modulesOfFolder, task) => {
  expect(detectTask(fakeModelFolder({ config, modules: modulesOfFolder }))).toBe(task);
});

test.each([
  [
    { architectures: ['BertForTokenClassification'] },
    'architectures names BertForTokenClassification, expected one of …Model',
  ],
])('%j is refused', (config, message) => {
  expect(() => detectTask(fakeModelFolder({ config }))).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});
