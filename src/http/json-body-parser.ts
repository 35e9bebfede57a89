import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';
import { checkJsonShape } from './check-json-shape.ts';

/** Smaller ones take less than a turn of the event loop may. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Request bodies are JSON, with or without a Content-Type (as the original); any other type is refused. `__proto__` in a
 * body is a key like any other: nothing here copies keys, and unknown ones are ignored.
 */
export function registerJsonBodyParser(server: FastifyInstance): void {
  const parseLarge = createLargeBodyParser();
  const parse = async (bytes: Buffer) => (bytes.length < LARGE_BYTES ? parseJsonBody(bytes) : parseLarge(bytes));
  server.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.-]+\+json(?:;|$)/]) {
    server.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) =>
      parse(bytes),
    );
  }
  server.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const type = request.headers['content-type'];
    if (type === undefined) return parse(bytes);
    throw new ServiceError(
      'unsupported_media_type',
      `Content-Type: expected application/json, got ${type.slice(0, 100)}`,
    );
  });
}

/** `undefined` for an empty body. Throws `invalid_json`, or `invalid_request` for one of too many levels or parts. */
export function parseJsonBody(bytes: Buffer): unknown {
  const steps = parseSteps(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, with turns of the event loop in between, one body after the other: what is made of each takes memory. */
export function createLargeBodyParser(): (bytes: Buffer) => Promise<unknown> {
  let before: Promise<unknown> = Promise.resolve();
  return (bytes) => {
    const parsed = before.then(() => parseInTurns(bytes));
    before = parsed.catch(() => undefined);
    return parsed;
  };
}

async function parseInTurns(bytes: Buffer): Promise<unknown> {
  const steps = parseSteps(bytes);
  for (;;) {
    await nextTurn();
    const { done, value } = steps.next();
    if (done !== true) continue;
    await nextTurn();
    return value;
  }
}

function* parseSteps(bytes: Buffer): Generator<undefined, unknown> {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes))
    throw new ServiceError('invalid_json', 'Request body: expected UTF-8, got bytes that are not UTF-8');
  yield;
  yield* checkJsonShape(bytes);
  yield;
  const text = bytes.toString('utf8', startsWithByteOrderMark(bytes) ? 3 : 0);
  yield;
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own message quotes the body.
    const message = `Request body: expected JSON, got ${bytes.length} bytes that do not parse as JSON`;
    throw new ServiceError('invalid_json', message, { cause });
  }
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
