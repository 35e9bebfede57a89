import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { jinaBert } from './jina-bert.ts';
import { findArchitecture } from './registry.ts';
import { xlmRobertaFlash } from './xlm-roberta-flash.ts';

test('a family is found by model_type', () => {
  expect(findArchitecture(fakeModelFolder({ config: { model_type: 'bert' } })).modelType).toBe('bert');
});

test.each([
  [{ model_type: 'mamba' }, [], /^model 'org\/model': model_type is 'mamba', expected one of 'bert', [^;]*$/],
  [{}, [], /^model 'org\/model': model_type is nothing, expected one of 'bert', [^;]*$/],
  [
    { model_type: 'mamba' },
    ['config.json', 'onnx/decoder_model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx'],
    /model_type is 'mamba', expected one of 'bert', .*; its folder also holds onnx\/model\.onnx, which --engine optimum serves$/,
  ],
  [
    { model_type: 'mamba' },
    ['onnx/model_O2.onnx', 'onnx/model_quantized.onnx'],
    /; its folder also holds onnx\/model_O2\.onnx and others, which --engine optimum serves if --onnx-file names one$/,
  ],
  [
    { model_type: 'mamba' },
    ['onnx/model_quantized.onnx'],
    /; its folder also holds onnx\/model_quantized\.onnx, which --engine optimum serves if --onnx-file names it$/,
  ],
])('%j with files %j is refused', (config, files, message) => {
  expect(() => findArchitecture(fakeModelFolder({ config, files }))).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringMatching(message) }),
  );
});

test('a model_type that several families share is listed once', () => {
  expect(() => findArchitecture(fakeModelFolder({ config: { model_type: 'mamba' } }))).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/'bert'.*'bert'/) }),
  );
});

const FLASH_CLASS = 'configuration_xlm_roberta.XLMRobertaFlashConfig';

test.each([
  [{ model_type: 'bert', position_embedding_type: 'alibi' }, jinaBert],
  [{ model_type: 'xlm-roberta', position_embedding_type: 'rotary' }, xlmRobertaFlash],
  [{ model_type: 'xlm-roberta', auto_map: { AutoConfig: FLASH_CLASS } }, xlmRobertaFlash],
  [{ model_type: 'xlm-roberta', auto_map: { AutoConfig: `owner/name--${FLASH_CLASS}` } }, xlmRobertaFlash],
])('%j is told apart from the family that shares its model_type', (config, architecture) => {
  expect(findArchitecture(fakeModelFolder({ config }))).toBe(architecture);
});

test.each([
  { model_type: 'bert', position_embedding_type: 'absolute' },
  { model_type: 'bert', auto_map: { AutoConfig: 'configuration_bert.BertConfig' } },
  { model_type: 'xlm-roberta', position_embedding_type: 'absolute', auto_map: null },
  { model_type: 'xlm-roberta', auto_map: { AutoConfig: 'configuration_other.OtherConfig' } },
])('%j is of the family that its model_type names', (config) => {
  const found = findArchitecture(fakeModelFolder({ config }));
  expect(found.modelType).toBe(config.model_type);
  expect(found.accepts).toBeUndefined();
});
