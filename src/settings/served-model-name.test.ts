import { expect, test } from 'vitest';
import { defaultServedModelName } from './served-model-name.ts';

test.each([
  ['BAAI/bge-small-en-v1.5', 'BAAI/bge-small-en-v1.5'],
  ['bge-small', 'bge-small'],
  ['/srv/models/org/bge', 'org/bge'],
  ['/models/bge/', 'models/bge'],
  ['./bge', 'bge'],
  ['C:\\models\\bge', 'models/bge'],
  ['/', '/'],
])('the model %s is served as %s', (modelId, name) => {
  expect(defaultServedModelName(modelId)).toBe(name);
});
