// The two ends of a channel do not trust each other: a process that dies in the middle of a write leaves anything.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBytes, damaged, holdsForAll, RUNS, withOtherValues } from '../../test/fakes/untrusted.ts';
import { encodeControlFrame, readCompiledModel, readCompileRequest, readOpenRequest } from './control-messages.ts';
import { readFailure } from './failure-message.ts';
import { FRAME_HEADER_BYTES, MAX_PAYLOAD_BYTES } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { decodeTensors, encodeTensorFrame } from './tensor-frame.ts';

const tensors = [
  { name: 'input_ids', dims: [2, 3], data: Int32Array.of(1, 2, 3, 4, 5, 6) },
  { name: 'embedding', dims: [2, 2], data: Float32Array.of(1, 2, 3, 4) },
];
const frame = encodeTensorFrame('run', 7, tensors);
const openRequest = { graphPath: '/a/graph.onnx', threads: 2, wideInt8: true };
const compiled = {
  graphPath: '/a/graph.onnx',
  contentKey: 'k',
  tasks: ['embed'],
  precision: 'int8',
  variant: 'int8-by-row',
  quality: { texts: 44, leastCosine: 0.99 },
  architecture: 'bert',
  inputs: [{ name: 'input_ids', role: 'input_ids' }],
  outputs: [{ name: 'e', role: 'embedding', per: 'item', width: 2, firstToken: 0, ignoredIds: [] }],
  classification: { labels: ['a'], scoreFunction: 'sigmoid' },
  vocabularySize: 10,
  maxPositions: 10,
  compilation: { milliseconds: 1, tried: [] },
  unreadTensors: [],
};
const failure = { code: 'run_failed', message: 'The run failed' };

test('a stream of damaged or arbitrary bytes gives frames or an error, however it is cut into pieces', async () => {
  const streams = fc.tuple(
    fc.oneof(damaged(Buffer.concat([frame, frame])), anyBytes),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
  );
  await holdsForAll(
    streams,
    ([bytes, sizes]) => {
      const reader = new FrameReader();
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        for (const { payload } of reader.push(bytes.subarray(at, at + size))) decodeTensors(payload);
        at += size;
      }
      reader.end();
    },
    RUNS * 5,
  );
});

test('frames come out as they went in, however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      const stream = Buffer.concat([frame, frame]);
      const reader = new FrameReader();
      const found = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        found.push(...reader.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(found.map(({ payload }) => decodeTensors(payload))).toEqual([tensors, tensors]);
    }),
    { numRuns: RUNS },
  );
});

test('a payload of damaged or arbitrary bytes gives tensors that lie in it, or an error', async () => {
  const payload = frame.subarray(FRAME_HEADER_BYTES);
  await holdsForAll(
    fc.oneof(damaged(payload), anyBytes),
    (bytes) => {
      const own = new Uint8Array(bytes);
      for (const { data } of decodeTensors(own)) expect(data.byteLength).toBeLessThanOrEqual(own.length);
    },
    RUNS * 5,
  );
});

test('a head that announces more than a frame may hold is refused, and not made room for', async () => {
  const head = Buffer.from(frame.subarray(0, FRAME_HEADER_BYTES));
  head.writeUInt32LE(MAX_PAYLOAD_BYTES + 1, 0);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => new FrameReader().push(head)).toThrow(/bytes/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
});

test.each([
  ['an open request', openRequest, readOpenRequest],
  ['a compile request', { ...openRequest, modelId: 'm', dtype: 'int8' }, readCompileRequest],
  ['a compiled model', compiled, readCompiledModel],
  ['a failure', failure, readFailure],
])('%s with other values, damaged or arbitrary is read or refused', async (_, valid, read) => {
  const payloadOf = (message: object) => encodeControlFrame('open', 1, message).subarray(FRAME_HEADER_BYTES);
  const payloads = fc.oneof(
    withOtherValues(valid).map((message) => new Uint8Array(payloadOf(message))),
    damaged(payloadOf(valid)),
    anyBytes,
  );
  await holdsForAll<Uint8Array<ArrayBuffer>>(payloads, (payload) => void read(payload), RUNS * 2);
});
