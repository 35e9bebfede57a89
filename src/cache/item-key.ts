import { hash } from 'node:crypto';

/** Raised when the same numbers would be kept in another form. */
const KEY_VERSION = 1;

/**
 * The key of one item's row: sha256 of everything that changes its numbers. `origin` names what computes them (the model's
 * content key and the output). `parts` are what goes in, in order: ids and type ids of a text, the bytes of an image. Each
 * is hashed with its length, so that no two lists of parts give the same bytes.
 */
export function itemKey(origin: string, parts: readonly ArrayBufferView[]): string {
  const head = Buffer.from(`${KEY_VERSION}\n${origin.length}\n${origin}`);
  const lengths = Float64Array.from([parts.length, ...parts.map((part) => part.byteLength)]);
  const pieces = [head, bytesOf(lengths), ...parts.map(bytesOf)];
  return hash('sha256', Buffer.concat(pieces), 'base64url');
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
