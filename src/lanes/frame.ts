import { ServiceError } from '../contracts/errors.ts';

// On the wire, all integers unsigned, 32 bits, little-endian: payload length, kind, id, then the payload.

/** The number of a kind on the wire is its place in this list, from 1. */
const FRAME_KINDS = ['open', 'opened', 'run', 'ran', 'compile', 'compiled', 'failed'] as const;

/** `open`, `run` and `compile` are asked by the server's process; the others answer them, with the id of the question. */
export type FrameKind = (typeof FRAME_KINDS)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly id: number;
  /** Starts at the beginning of a buffer of its own, so that typed arrays can be laid over it. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

export interface FrameHeader {
  readonly kind: FrameKind;
  readonly id: number;
  readonly payloadBytes: number;
}

export const FRAME_HEADER_BYTES = 12;

/**
 * Guards both processes against allocating whatever four damaged bytes say. Text runs need under 100 KiB of ids and 8 MiB
 * of vectors (2048 x 1024 float32); the largest known input is a batch of 32 audio clips of 30 s (61 MiB).
 */
export const MAX_PAYLOAD_BYTES = 256 * 1024 * 1024;

/** A frame with its header written; the payload, from `FRAME_HEADER_BYTES` on, is left to the caller and must be filled. */
export function allocateFrame(kind: FrameKind, id: number, payloadBytes: number): Buffer {
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw tooLarge(kind, payloadBytes);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payloadBytes);
  frame.writeUInt32LE(payloadBytes, 0);
  frame.writeUInt32LE(FRAME_KINDS.indexOf(kind) + 1, 4);
  frame.writeUInt32LE(id, 8);
  return frame;
}

/** `header` is the first `FRAME_HEADER_BYTES` of a frame. Throws `internal_error` for what no frame can begin with. */
export function readFrameHeader(header: DataView): FrameHeader {
  const payloadBytes = header.getUint32(0, true);
  const number = header.getUint32(4, true);
  const kind = FRAME_KINDS[number - 1];
  if (kind === undefined) {
    throw new ServiceError('internal_error', `A lane frame has kind ${number}; expected 1 to ${FRAME_KINDS.length}.`);
  }
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw tooLarge(kind, payloadBytes);
  return { kind, id: header.getUint32(8, true), payloadBytes };
}

function tooLarge(kind: FrameKind, payloadBytes: number): ServiceError {
  const limit = `the limit is ${MAX_PAYLOAD_BYTES}`;
  return new ServiceError('internal_error', `A lane frame '${kind}' has a payload of ${payloadBytes} bytes; ${limit}.`);
}
