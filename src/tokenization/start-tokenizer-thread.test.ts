import { expect, test } from 'vitest';
import { workerUrl } from './start-tokenizer-thread.ts';

test.each([
  ['from the build', 'file:///a/dist/tokenization/start-tokenizer-thread.js'],
  ['from the sources', 'file:///a/src/tokenization/start-tokenizer-thread.ts'],
])('the built worker is started %s', (_name, moduleUrl) => {
  expect(workerUrl(moduleUrl).href).toBe('file:///a/dist/tokenization/tokenizer-worker.js');
});
