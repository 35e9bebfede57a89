import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { type FakeTensor, PICKLE, pickleBytes, stateDict, zipBytes } from '../../../test/fakes/torch-bytes.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { openTorchCheckpoint } from './open-torch-checkpoint.ts';

const float = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const matrix: FakeTensor = { storage: 'FloatStorage', key: '0', elements: 4, dims: [2, 2], strides: [2, 1] };

async function openBytes(bytes: Uint8Array) {
  const filePath = path.join(temporaryFolder(), 'model.bin');
  writeFileSync(filePath, bytes);
  const checkpoint = await openTorchCheckpoint(filePath, 'model.bin');
  onTestFinished(() => checkpoint.close());
  return checkpoint;
}

const archive = (pickle: Buffer, content = float([1, 2, 3, 4])) =>
  zipBytes([
    { name: 'archive/data.pkl', content: pickle },
    { name: 'archive/data/0', content },
  ]);

const refused = (bytes: Uint8Array, message: RegExp | string) =>
  expect(openBytes(bytes)).rejects.toMatchObject({
    code: 'invalid_checkpoint',
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  });

test('tensors are read from their storages, views from their offset', async () => {
  const view: FakeTensor = { ...matrix, offset: 2, dims: [2], strides: [1] };
  const { tensors } = await openBytes(archive(stateDict({ a: matrix, b: view })));
  expect(tensors.get('a')).toMatchObject({ name: 'a', fileName: 'model.bin', dtype: 'F32', dims: [2, 2] });
  expect([...(tensors.get('a')?.chunks() ?? [])]).toEqual([Float32Array.of(1, 2, 3, 4)]);
  expect([...(tensors.get('b')?.chunks() ?? [])]).toEqual([Float32Array.of(3, 4)]);
});

test.each([
  ['HalfStorage', 'F16', new Uint8Array(Uint16Array.of(0x3c00, 0xc000).buffer), [1, -2]],
  ['BFloat16Storage', 'BF16', new Uint8Array(Uint16Array.of(0x3f80, 0xc000).buffer), [1, -2]],
  ['DoubleStorage', 'F64', new Uint8Array(Float64Array.of(1, -2).buffer), [1, -2]],
])('%s is %s', async (storage, dtype, content, numbers) => {
  const tensor: FakeTensor = { ...matrix, storage, elements: 2, dims: [2], strides: [1] };
  const { tensors } = await openBytes(archive(stateDict({ a: tensor }), content));
  expect(tensors.get('a')?.dtype).toBe(dtype);
  expect([...(tensors.get('a')?.chunks() ?? [])].flatMap((chunk) => [...chunk])).toEqual(numbers);
});

test('a table of whole numbers is known by its type, and cannot be read as weights', async () => {
  const tensor: FakeTensor = { ...matrix, storage: 'LongStorage', elements: 2, dims: [2], strides: [1] };
  const { tensors } = await openBytes(archive(stateDict({ a: tensor }), new Uint8Array(16)));
  expect(tensors.get('a')?.dtype).toBe('I64');
  expect(() => [...(tensors.get('a')?.chunks() ?? [])]).toThrow('has dtype I64, expected one of F32');
});

test('an axis of one element may have any stride', async () => {
  const tensor: FakeTensor = { ...matrix, dims: [1, 4, 1], strides: [7, 1, 9] };
  expect((await openBytes(archive(stateDict({ a: tensor })))).tensors.get('a')?.dims).toEqual([1, 4, 1]);
});

const { global, text, small, mark, tuple, reduce, emptyTuple } = PICKLE;

test.each<[string, Buffer, string]>([
  ['a call of the system', pickleBytes(global('os', 'system'), mark, text('true'), tuple, reduce), "names 'os.system'"],
  ['a builtin', pickleBytes(global('builtins', 'eval'), mark, text('1'), tuple, reduce), "names 'builtins.eval'"],
  ['another name of torch', pickleBytes(global('torch.nn', 'Linear'), emptyTuple, reduce), "names 'torch.nn.Linear'"],
  ['STACK_GLOBAL', pickleBytes(text('os'), text('system'), Buffer.from([0x93])), "names 'os.system'"],
  [
    'an object of a class',
    pickleBytes(emptyTuple, emptyTuple, Buffer.from([0x81])),
    'instruction 0x81 (NEWOBJ) at byte 4',
  ],
  ['INST', pickleBytes(mark, Buffer.from('ios\nsystem\n')), 'instruction 0x69 (INST) at byte 3'],
  ['an extension', pickleBytes(Buffer.from([0x82, 1])), 'instruction 0x82 (EXT1)'],
  ['a call of a text', pickleBytes(text('x'), emptyTuple, reduce), "calls 'a value'"],
  ['a storage called', pickleBytes(global('torch', 'FloatStorage'), emptyTuple, reduce), "calls 'torch.FloatStorage'"],
  ['an empty stack', pickleBytes(reduce), 'takes a value from an empty stack'],
  ['a mark that is not there', pickleBytes(tuple), 'goes back to a mark that was not set'],
  ['a value that was not kept', pickleBytes(Buffer.from([0x68, 3])), 'asks for value 3'],
  ['an endless text', pickleBytes(Buffer.from([0x58, 255, 255, 255, 255])), 'ends within an instruction at byte 7'],
  ['a text of 2^63 bytes', pickleBytes(Buffer.from([0x8d, 0, 0, 0, 0, 0, 0, 0, 128])), 'ends within an instruction'],
  ['no end', Buffer.from([0x80, 2, 0x7d]), 'ends within an instruction at byte 3'],
  ['a future protocol', Buffer.from([0x80, 9]), 'is of protocol 9, expected at most 5'],
  ['an item of a number', pickleBytes(small(1), text('a'), small(2), Buffer.from('s')), 'sets an item of something'],
  ['another persistent id', pickleBytes(text('x'), PICKLE.persistentId), 'refers to something that is not a storage'],
  ['a list', pickleBytes(Buffer.from(']')), 'is not a dict of tensors'],
  ['no tensors', pickleBytes(PICKLE.emptyDict), 'holds no tensors'],
])('a pickle with %s is refused by name', async (_what, pickle, message) => {
  await refused(archive(pickle), message);
});

const GREAT = Number.MAX_SAFE_INTEGER;

test.each<[string, Partial<FakeTensor>, string]>([
  ['turned around', { strides: [1, 2] }, 'is not contiguous: shape [2, 2] with strides [1, 2]'],
  ['spread out', { dims: [4], strides: [0] }, 'is not contiguous'],
  ['beyond its storage', { offset: 1 }, "takes 4 numbers from 1, its storage '0' has 4"],
  ['of a huge size', { dims: [GREAT], strides: [1] }, "its storage '0' has 4"],
  ['of a size past all numbers', { dims: [GREAT, GREAT], strides: [GREAT, 1] }, "its storage '0' has 4"],
  ['of a storage that claims too much', { elements: GREAT, dims: [GREAT], strides: [1] }, 'its storage has 16 bytes'],
  ['of a storage that is missing', { key: '../0' }, "has no storage '../0'"],
  ['of a negative size', { dims: [-1], strides: [1] }, 'with arguments that it does not take'],
  ['of too few strides', { strides: [1] }, 'with arguments that it does not take'],
  ['of complex numbers', { storage: 'ComplexFloatStorage' }, "names 'torch.ComplexFloatStorage'"],
])('a tensor %s is refused', async (_what, changes, message) => {
  await refused(archive(stateDict({ a: { ...matrix, ...changes } })), message);
});

const whole = archive(stateDict({ a: matrix }));

test.each<[string, Uint8Array, RegExp | string]>([
  ['an empty file', new Uint8Array(), 'expected a zip archive'],
  ['something else', Buffer.from('<!DOCTYPE html>'), 'expected a zip archive'],
  ['the format before 1.6', Buffer.from([0x80, 2, 0x8a, 10]), 'that torch wrote before version 1.6'],
  ['a pointer', Buffer.from('version https://git-lfs.github.com/spec/v1\noid'), "fetch them with 'git lfs pull'"],
  ['half an archive', whole.subarray(0, whole.length / 2), 'has no directory at its end: it is truncated'],
  ['an archive without its pickle', zipBytes([{ name: 'a/b', content: float([1]) }]), 'without data.pkl'],
  [
    'a compressed entry',
    zipBytes([{ name: 'archive/data.pkl', content: stateDict({ a: matrix }), method: 8 }]),
    "'archive/data.pkl' is compressed by method 8",
  ],
  [
    'another byte order',
    zipBytes([
      { name: 'archive/data.pkl', content: stateDict({ a: matrix }) },
      { name: 'archive/byteorder', content: Buffer.from('big') },
    ]),
    "its byte order is 'big', expected 'little'",
  ],
])('%s is refused', async (_what, bytes, message) => {
  await refused(bytes, message);
});

/** A generator of its own, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

test('whatever is changed or cut off in a file, it is read or refused, and nothing else', async () => {
  const next = random(7);
  const filePath = path.join(temporaryFolder(), 'model.bin');
  const golden = readFileSync(new URL('../../../test/golden/public/bge-m3/model/sparse_linear.pt', import.meta.url));
  for (let round = 0; round < 600; round += 1) {
    const bytes = Buffer.from(round % 2 === 0 ? whole : golden);
    for (let change = next(8); change >= 0; change -= 1) bytes[next(bytes.length)] = next(256);
    writeFileSync(filePath, next(4) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes);
    try {
      const checkpoint = await openTorchCheckpoint(filePath, 'model.bin');
      try {
        for (const tensor of checkpoint.tensors.values()) for (const _chunk of tensor.chunks());
      } finally {
        await checkpoint.close();
      }
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'invalid_checkpoint' });
      expect((error as ServiceError).message).not.toContain('cannot be read');
    }
  }
});
