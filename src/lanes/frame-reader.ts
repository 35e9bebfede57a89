import { ServiceError } from '../contracts/errors.ts';
import { FRAME_HEADER_BYTES, type Frame, type FrameHeader, readFrameHeader } from './frame.ts';

/**
 * Puts frames together from the pieces that a socket delivers. Each payload is copied once, as a block, into a buffer of its
 * own: aligned for typed arrays, and a vector that is kept does not keep the socket's buffers.
 */
export class FrameReader {
  readonly #headerBytes = new Uint8Array(FRAME_HEADER_BYTES);
  readonly #headerView = new DataView(this.#headerBytes.buffer);
  /** Set while a payload is being filled. */
  #header: FrameHeader | undefined;
  #payload = new Uint8Array(0);
  /** Bytes of the header, or of the payload once the header is known. */
  #filled = 0;

  /** The frames that `chunk` completes. Throws `internal_error` when the bytes are no frame; the reader is then spent. */
  push(chunk: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    let offset = 0;
    while (offset < chunk.length || this.#payloadIsComplete()) {
      if (this.#header === undefined) {
        offset += this.#fill(this.#headerBytes, chunk, offset);
        if (this.#filled === FRAME_HEADER_BYTES) this.#beginPayload();
      } else {
        offset += this.#fill(this.#payload, chunk, offset);
        if (this.#payloadIsComplete()) {
          frames.push({ kind: this.#header.kind, id: this.#header.id, payload: this.#payload });
          this.#header = undefined;
          this.#filled = 0;
        }
      }
    }
    return frames;
  }

  /** To be called when the stream ends. Throws `internal_error` when it ended within a frame. */
  end(): void {
    if (this.#header !== undefined) {
      const { kind, payloadBytes } = this.#header;
      throw cutOff(`a payload of kind '${kind}'`, this.#filled, payloadBytes);
    }
    if (this.#filled > 0) throw cutOff('a header', this.#filled, FRAME_HEADER_BYTES);
  }

  #payloadIsComplete(): boolean {
    return this.#header !== undefined && this.#filled === this.#payload.length;
  }

  #beginPayload(): void {
    this.#header = readFrameHeader(this.#headerView);
    this.#payload = new Uint8Array(this.#header.payloadBytes);
    this.#filled = 0;
  }

  #fill(target: Uint8Array, chunk: Uint8Array, offset: number): number {
    const count = Math.min(target.length - this.#filled, chunk.length - offset);
    target.set(chunk.subarray(offset, offset + count), this.#filled);
    this.#filled += count;
    return count;
  }
}

function cutOff(part: string, actual: number, expected: number): ServiceError {
  return new ServiceError('internal_error', `A lane frame ended within ${part}: ${actual} of ${expected} bytes.`);
}
