// Runs in a worker thread of the server's process: whatever a tokenizer does, the main thread goes on answering.
import { parentPort, workerData } from 'node:worker_threads';
import { createTokenizer } from './create-tokenizer.ts';
import { serveTokenizer } from './serve-tokenizer.ts';
import type { TokenizerSource } from './start-tokenizer-thread.ts';

const port = parentPort;
if (port === null) throw new Error('tokenizer-worker: expected to run in a worker thread, got the main thread');
const { folder, limits }: TokenizerSource = workerData;

await serveTokenizer(
  {
    send: (reply, transferred) => port.postMessage(reply, transferred),
    onRequest: (listener) => port.on('message', listener),
  },
  createTokenizer(folder, limits),
);
