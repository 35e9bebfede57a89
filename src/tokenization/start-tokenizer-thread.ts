import { Worker } from 'node:worker_threads';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { TokenizerLimits } from './create-tokenizer.ts';
import type { TokenizerReply, TokenizerRequest } from './tokenizer-messages.ts';

/** What a tokenizer is opened from. Plain JSON: it crosses to the worker. */
export interface TokenizerSource {
  readonly folder: ModelFolder;
  readonly limits: TokenizerLimits;
}

export interface TokenizerThreadEvents {
  onReply(reply: TokenizerReply): void;
  /** Called once, after the last reply. `error` is what the worker threw, if anything. */
  onEnded(error: Error | undefined): void;
}

/** A worker thread with a tokenizer in it. It keeps the process alive until told otherwise. */
export interface TokenizerThread {
  /** Dropped in silence when the thread has ended, which `onEnded` tells. */
  send(request: TokenizerRequest): void;
  /** Whether the process must not end while this thread lives. */
  keepProcessAlive(isNeeded: boolean): void;
  stop(): void;
}

export type StartTokenizerThread = (source: TokenizerSource, events: TokenizerThreadEvents) => TokenizerThread;

export const startTokenizerThread: StartTokenizerThread = (source, events) => {
  // The flags of the process are not for the worker: `--input-type` alone keeps it from starting.
  const worker = new Worker(workerUrl(import.meta.url), { name: 'tokenizer', workerData: source, execArgv: [] });
  let thrown: Error | undefined;
  worker.on('message', (reply: TokenizerReply) => events.onReply(reply));
  worker.on('error', (error) => {
    thrown = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', () => events.onEnded(thrown));
  return {
    send: (request) => worker.postMessage(request),
    keepProcessAlive(isNeeded) {
      if (isNeeded) worker.ref();
      else worker.unref();
    },
    stop: () => void worker.terminate(),
  };
};

/** The built worker. Node.js 20 cannot run TypeScript, so sources under test use the build too. */
export function workerUrl(moduleUrl: string): URL {
  const folder = moduleUrl.endsWith('.ts') ? '../../dist/tokenization/' : './';
  return new URL(`${folder}tokenizer-worker.js`, moduleUrl);
}
