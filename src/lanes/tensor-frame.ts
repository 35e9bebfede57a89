import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import { allocateFrame, FRAME_HEADER_BYTES, type FrameKind } from './frame.ts';

// A payload of tensors: their number (u32), then for each: element type (u8), rank (u8), bytes of the name (u16), dims
// (u32 each), name (UTF-8), zeros up to a multiple of 8 counted from the payload's start, and the elements as they lie in
// memory. Both ends are processes of one machine, so the byte order of the elements is never a question.

const ELEMENT_BYTES = 4;
/** Lets any element type up to 64 bits be laid over the payload in place. */
const ALIGNMENT_BYTES = 8;
/** Ids, types, positions, lengths, pixels; a graph here has under ten. Guards the loop against a damaged count. */
const MAX_TENSORS = 64;
/** `[batch, channels, frames, height, width]` is the deepest input known. */
const MAX_RANK = 8;
/** Names of graph inputs and outputs; ours have under 20 bytes, exported ones under 100. */
const MAX_NAME_BYTES = 1024;

const ELEMENT_INT32 = 1;
const ELEMENT_FLOAT32 = 2;

/** A frame that carries `tensors`; each is copied once, as a block. Throws `internal_error` for what no frame can hold. */
export function encodeTensorFrame(kind: FrameKind, id: number, tensors: readonly Tensor[]): Buffer {
  if (tensors.length > MAX_TENSORS) throw malformed(`${tensors.length} tensors, the limit is ${MAX_TENSORS}`);
  let payloadBytes = 4;
  for (const { name, dims, data } of tensors) {
    payloadBytes = align(payloadBytes + 4 + 4 * checkedRank(dims) + checkedNameBytes(name)) + data.byteLength;
  }
  const frame = allocateFrame(kind, id, payloadBytes);
  const payload = frame.subarray(FRAME_HEADER_BYTES);
  let offset = payload.writeUInt32LE(tensors.length, 0);
  for (const tensor of tensors) offset = writeTensor(payload, offset, tensor);
  return frame;
}

function writeTensor(payload: Buffer, start: number, { name, dims, data }: Tensor): number {
  if (data.length !== elementCount(dims)) {
    throw malformed(`tensor '${name}' with dims [${dims}] and ${data.length} elements`);
  }
  let offset = payload.writeUInt8(data instanceof Int32Array ? ELEMENT_INT32 : ELEMENT_FLOAT32, start);
  offset = payload.writeUInt8(dims.length, offset);
  const nameLengthAt = offset;
  offset += 2;
  for (const dim of dims) offset = payload.writeUInt32LE(dim, offset);
  const nameBytes = payload.write(name, offset, 'utf8');
  payload.writeUInt16LE(nameBytes, nameLengthAt);
  const dataAt = align(offset + nameBytes);
  payload.fill(0, offset + nameBytes, dataAt);
  payload.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), dataAt);
  return dataAt + data.byteLength;
}

/**
 * The tensors of a payload, as views on it: nothing is copied. The payload must be a buffer of its own, as `FrameReader`
 * makes it. Throws `internal_error` when it does not hold exactly the tensors that it names.
 */
export function decodeTensors(payload: Uint8Array<ArrayBuffer>): readonly Tensor[] {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  let offset = 0;
  const take = (count: number, part: string): number => {
    const at = offset;
    if (count > bytes.length - at)
      throw malformed(`${part} at byte ${at} needs ${count}, ${bytes.length - at} are left`);
    offset += count;
    return at;
  };

  const count = bytes.readUInt32LE(take(4, 'the count'));
  if (count > MAX_TENSORS) throw malformed(`${count} tensors, the limit is ${MAX_TENSORS}`);
  const tensors: Tensor[] = [];
  for (let index = 0; index < count; index += 1) {
    const head = take(4, `the head of tensor ${index}`);
    const rank = bytes.readUInt8(head + 1);
    if (rank > MAX_RANK) throw malformed(`tensor ${index} of rank ${rank}, the limit is ${MAX_RANK}`);
    const dimsAt = take(4 * rank, `the dims of tensor ${index}`);
    const dims = Array.from({ length: rank }, (_, axis) => bytes.readUInt32LE(dimsAt + 4 * axis));
    const nameAt = take(bytes.readUInt16LE(head + 2), `the name of tensor ${index}`);
    const name = bytes.toString('utf8', nameAt, offset);
    take(align(offset) - offset, `the padding of tensor ${index}`);
    const length = elementCount(dims);
    const dataAt = take(ELEMENT_BYTES * length, `the data of tensor '${name}' with dims [${dims}]`);
    const data = elementsAt(payload, dataAt, length, bytes.readUInt8(head));
    tensors.push({ name, dims, data });
  }
  if (offset < bytes.length) throw malformed(`${bytes.length - offset} bytes after the last tensor`);
  return tensors;
}

function elementsAt(payload: Uint8Array<ArrayBuffer>, offset: number, length: number, element: number): Tensor['data'] {
  const at = payload.byteOffset + offset;
  if (element === ELEMENT_INT32) return new Int32Array(payload.buffer, at, length);
  if (element === ELEMENT_FLOAT32) return new Float32Array(payload.buffer, at, length);
  throw malformed(`element type ${element}, expected ${ELEMENT_INT32} (int32) or ${ELEMENT_FLOAT32} (float32)`);
}

function checkedRank(dims: readonly number[]): number {
  if (dims.length > MAX_RANK) throw malformed(`a tensor of rank ${dims.length}, the limit is ${MAX_RANK}`);
  return dims.length;
}

function checkedNameBytes(name: string): number {
  const count = Buffer.byteLength(name, 'utf8');
  if (count > MAX_NAME_BYTES) throw malformed(`a tensor name of ${count} bytes, the limit is ${MAX_NAME_BYTES}`);
  return count;
}

function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

function malformed(what: string): ServiceError {
  return new ServiceError('internal_error', `A lane frame of tensors is malformed: ${what}.`);
}
