import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { findArchitecture } from './registry.ts';

test('a family is found by model_type', () => {
  expect(findArchitecture(fakeModelFolder({ config: { model_type: 'bert' } })).modelType).toBe('bert');
});

test.each([
  [{ model_type: 'mamba' }, [], "model 'org/model': model_type is 'mamba', expected one of 'bert'"],
  [{}, [], "model 'org/model': model_type is nothing, expected one of 'bert'"],
  [
    { model_type: 'mamba' },
    ['config.json', 'onnx/model.onnx'],
    "model_type is 'mamba', expected one of 'bert'; its folder also holds onnx/model.onnx, which is not used",
  ],
])('%j with files %j is refused', (config, files, message) => {
  expect(() => findArchitecture(fakeModelFolder({ config, files }))).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});
