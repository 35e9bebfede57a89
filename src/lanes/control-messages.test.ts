import { describe, expect, test } from 'vitest';
import type { CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import {
  encodeControlFrame,
  encodeOpenRequest,
  readCompiledModel,
  readCompileRequest,
  readOpenRequest,
} from './control-messages.ts';
import { FRAME_HEADER_BYTES } from './frame.ts';

const payloadOf = (message: object): Uint8Array =>
  encodeControlFrame('compile', 1, message).subarray(FRAME_HEADER_BYTES);

const request: CompileRequest = {
  modelId: 'naïve/模型',
  modelPath: '/models/a',
  dtype: 'float32',
  onQualityLoss: 'fall-back',
  architecture: 'x64',
  cpuAbilities: [],
  threads: 1,
  task: 'auto',
  pooling: 'auto',
  outputFolder: '/cache/b',
  contentKey: 'abc',
};

const compiled: CompiledModel = {
  graphPath: '/cache/b/model.onnx',
  contentKey: 'abc',
  tasks: ['classify'],
  precision: 'float32',
  architecture: 'bert',
  inputs: [
    { name: 'input_ids', role: 'input_ids' },
    { name: 'token_type_ids', role: 'token_type_ids' },
  ],
  outputs: [{ name: 'logits', role: 'logits', per: 'item', width: 2, firstToken: 0, ignoredIds: [] }],
  classification: { labels: ['no', 'yes'], scoreFunction: 'softmax' },
  vocabularySize: 30522,
  maxPositions: 512,
  compilation: {
    milliseconds: 7910.5,
    peakBytes: 333_000_000,
    tried: [
      { variant: 'int8-by-row', quality: { texts: 44, leastCosine: 0.98, medianCosine: 0.999 } },
      { variant: 'int8-blocks', quality: { texts: 44, greatestScoreDifference: 0.001 }, speed: 1.2 },
    ],
  },
  unreadTensors: ['embeddings.position_ids'],
};

const outputWith = (fields: object) => ({ ...compiled, outputs: [{ ...compiled.outputs[0], ...fields }] });

describe('control messages', () => {
  test('an open request comes out as it went in', () => {
    for (const options of [{ threads: 2 }, { threads: 2, wideInt8: true }]) {
      const open = { graphPath: '/cache/b/model.onnx', options };
      expect(readOpenRequest(encodeOpenRequest(1, open).subarray(FRAME_HEADER_BYTES))).toEqual(open);
    }
  });

  test('a compile request and a compiled model come out as they went in', () => {
    expect(readCompileRequest(payloadOf(request))).toEqual(request);
    const ofAFile = { ...request, onnxFile: 'onnx/model.onnx' };
    expect(readCompileRequest(payloadOf(ofAFile))).toEqual(ofAFile);
    expect(readCompiledModel(payloadOf({ ...compiled, wideInt8: true }))).toEqual({ ...compiled, wideInt8: true });
    for (const more of [{}, { model2vecMaxTokens: 512 }]) {
      const table = { ...compiled, staticTokens: { tokenizerFile: 'tokenizer.json', emptyTextId: 9, ...more } };
      expect(readCompiledModel(payloadOf(table))).toEqual(table);
    }
    expect(readCompiledModel(payloadOf(compiled))).toEqual(compiled);
    const quality = { texts: 44, leastCosine: 0.998, medianCosine: 0.9995, greatestScoreDifference: 0.01 };
    const quantized: CompiledModel = { ...compiled, precision: 'int8', variant: 'v', quality, warning: 'less' };
    expect(readCompiledModel(payloadOf(quantized))).toEqual(quantized);
    const { classification: _, ...embedder } = compiled;
    expect(readCompiledModel(payloadOf(embedder))).toEqual(embedder);
  });

  test.each<[string, object, string]>([
    ['no graph path', { ...compiled, graphPath: undefined }, "has 'graphPath' as nothing; expected a string"],
    ['an unknown task', { ...compiled, tasks: ['sing'] }, "has 'tasks' as a list; expected a list of embed, rerank"],
    ['a task that objects inherit', { ...compiled, tasks: ['toString'] }, 'expected a list of embed, rerank'],
    ['no width', outputWith({ width: 0 }), "has 'width' as the number 0; expected an integer of at least 1"],
    ['half a width', outputWith({ width: 1.5 }), "'width' as the number 1.5"],
    ['half an id', outputWith({ ignoredIds: [1.5] }), "has 'ignoredIds' as a list; expected a list of integers"],
    ['an unknown kind of output', outputWith({ role: 'song' }), "'compiled.outputs' has 'role' as a string"],
    ['labels as a text', { ...compiled, classification: { labels: 'a' } }, "'compiled.classification' has 'labels'"],
    ['inputs as an object', { ...compiled, inputs: {} }, "has 'inputs' as an object; expected a list of objects"],
    ['an input that is null', { ...compiled, inputs: [null] }, "'compiled.inputs' is null; expected an object"],
    ['an unknown role', { ...compiled, inputs: [{ name: 'a', role: 'b' }] }, "'compiled.inputs' has 'role'"],
    ['a number for a name', { ...compiled, unreadTensors: [1] }, "has 'unreadTensors' as a list"],
    ['a text for a flag', { ...compiled, wideInt8: 'yes' }, "has 'wideInt8' as a string; expected true or false"],
    ['a list', [], "'compiled' is a list; expected an object"],
  ])('%s is refused by name', (_, message, expected) => {
    expect(() => readCompiledModel(payloadOf(message))).toThrow(expected);
  });

  test('what is not JSON is refused', () => {
    const read = () => readOpenRequest(Buffer.from('{"graphPath":'));
    expect(read).toThrow(ServiceError);
    expect(read).toThrow("The lane message 'open' is not JSON.");
  });
});
