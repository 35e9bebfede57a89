import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../contracts/errors.ts';
import { splitCall, type TokenizerCall } from './call-parts.ts';
import { unpackEncodings } from './packed-encodings.ts';
import type { StartTokenizerThread, TokenizerSource } from './start-tokenizer-thread.ts';
import { toFailure, toServiceError } from './tokenizer-failure.ts';
import type { TokenizerAnswer } from './tokenizer-messages.ts';

/** The main thread's end of one tokenizer thread, from its start to its end. */
export interface TokenizerSession {
  readonly maxSequenceLength: number;
  hasEnded(): boolean;
  /** Rejects with the tokenizer's `ServiceError`, or with `internal_error` when the thread ends before it answers. */
  call(call: TokenizerCall): Promise<TokenizerAnswer>;
}

interface WaitingCall {
  resolve(answer: TokenizerAnswer): void;
  reject(error: ServiceError): void;
}

/**
 * Starts a thread and resolves once its tokenizer is open; rejects with the reason when it cannot be opened. The thread
 * keeps the process alive only while it opens and while a call waits for its answer.
 */
export function openTokenizerSession(
  source: TokenizerSource,
  startThread: StartTokenizerThread,
): Promise<TokenizerSession> {
  return new Promise((resolve, reject) => {
    const waitingCalls = new Map<number, WaitingCall>();
    let lastId = 0;
    let end: ServiceError | undefined;

    const thread = startThread(source, {
      onReply(reply) {
        if (reply.kind === 'opened') {
          thread.keepProcessAlive(false);
          resolve({ maxSequenceLength: reply.maxSequenceLength, hasEnded: () => end !== undefined, call });
        } else if (reply.kind === 'refused') {
          reject(toServiceError(reply.failure));
        } else if (reply.kind === 'encoded') {
          take(reply.id)?.resolve({ kind: 'encodings', encodings: unpackEncodings(reply.encodings) });
        } else if (reply.kind === 'answered') {
          take(reply.id)?.resolve(reply.answer);
        } else {
          take(reply.id)?.reject(toServiceError(reply.failure));
        }
      },
      onEnded(error) {
        end = unexpectedEnd(source, error);
        reject(end);
        for (const waiting of waitingCalls.values()) waiting.reject(end);
        waitingCalls.clear();
      },
    });

    function call(asked: TokenizerCall): Promise<TokenizerAnswer> {
      if (end !== undefined) return Promise.reject(end);
      return new Promise((resolveCall, rejectCall) => {
        lastId += 1;
        const id = lastId;
        if (waitingCalls.size === 0) thread.keepProcessAlive(true);
        waitingCalls.set(id, { resolve: resolveCall, reject: rejectCall });
        send(id, asked).catch((error) => take(id)?.reject(toServiceError(toFailure(error))));
      });
    }

    /** Sends a call part by part, with a turn of the event loop in between. */
    async function send(id: number, asked: TokenizerCall): Promise<void> {
      for (const part of splitCall(asked)) {
        if (!waitingCalls.has(id)) return;
        thread.send({ id, part });
        if (!part.isLast) await setImmediate();
      }
    }

    /** A waiting call, which from now on waits no more. */
    function take(id: number): WaitingCall | undefined {
      const waiting = waitingCalls.get(id);
      waitingCalls.delete(id);
      if (waitingCalls.size === 0) thread.keepProcessAlive(false);
      return waiting;
    }
  });
}

function unexpectedEnd({ folder }: TokenizerSource, error: Error | undefined): ServiceError {
  return new ServiceError(
    'internal_error',
    `The tokenizer of '${folder.id}' ended before it answered.`,
    error === undefined ? {} : { cause: error },
  );
}
