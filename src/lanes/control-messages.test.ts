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
  precision: 'float32',
  outputFolder: '/cache/b',
  contentKey: 'abc',
};

const compiled: CompiledModel = {
  graphPath: '/cache/b/model.onnx',
  contentKey: 'abc',
  task: 'embed',
  precision: 'float32',
  architecture: 'bert',
  inputs: [
    { name: 'input_ids', role: 'input_ids' },
    { name: 'token_type_ids', role: 'token_type_ids' },
  ],
  outputName: 'embedding',
  outputWidth: 384,
  vocabularySize: 30522,
  maxPositions: 512,
  unreadTensors: ['embeddings.position_ids'],
};

describe('control messages', () => {
  test('an open request comes out as it went in', () => {
    const open = { graphPath: '/cache/b/model.onnx', options: { threads: 2 } };
    expect(readOpenRequest(encodeOpenRequest(1, open).subarray(FRAME_HEADER_BYTES))).toEqual(open);
  });

  test('a compile request and a compiled model come out as they went in', () => {
    expect(readCompileRequest(payloadOf(request))).toEqual(request);
    expect(readCompiledModel(payloadOf(compiled))).toEqual(compiled);
  });

  test.each<[string, object, string]>([
    ['no graph path', { ...compiled, graphPath: undefined }, "has 'graphPath' as nothing; expected a string"],
    ['an unknown task', { ...compiled, task: 'sing' }, "has 'task' as a string; expected one of embed, rerank"],
    ['a task that objects inherit', { ...compiled, task: 'toString' }, 'expected one of embed, rerank'],
    [
      'no width',
      { ...compiled, outputWidth: 0 },
      "has 'outputWidth' as the number 0; expected an integer of at least 1",
    ],
    ['half a width', { ...compiled, outputWidth: 1.5 }, "'outputWidth' as the number 1.5"],
    ['inputs as an object', { ...compiled, inputs: {} }, "has 'inputs' as an object; expected a list of objects"],
    ['an input that is null', { ...compiled, inputs: [null] }, "'compiled.inputs' is null; expected an object"],
    ['an unknown role', { ...compiled, inputs: [{ name: 'a', role: 'b' }] }, "'compiled.inputs' has 'role'"],
    ['a number for a name', { ...compiled, unreadTensors: [1] }, "has 'unreadTensors' as a list"],
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
