import { expect, test } from 'vitest';
import { parseSettings } from '../../settings/parse-settings.ts';
import { resultsKey } from './results-key.ts';

function keyOf(flags: Readonly<Record<string, readonly string[]>>): string {
  const { models, bundledModels } = parseSettings({ 'model-id': ['a'], ...flags }, {});
  const [model] = models;
  if (model === undefined) throw new Error('expected a model');
  return resultsKey(model, bundledModels);
}

test.each([
  { revision: ['v2'] },
  { task: ['embed'] },
  { dtype: ['int8'] },
  { 'strict-dtype': ['true'] },
  { 'force-dtype': ['true'] },
  { engine: ['optimum'] },
  { 'onnx-file': ['onnx/other.onnx'] },
  { 'bundled-models': ['false'] },
])('a file that was begun without %j is not continued with it', (flags) => {
  expect(keyOf(flags)).not.toBe(keyOf({}));
});

test('a file is continued with another batch size', () => {
  expect(keyOf({ 'batch-size': ['8'] })).toBe(keyOf({}));
});
