import { expect, test } from 'vitest';
import { inferenceEnvironment } from './inference-environment.ts';

test('an inference process gets what native code needs, and no key, token or Node.js option', () => {
  const passedOn = {
    PATH: '/bin',
    HOME: '/root',
    TZ: 'UTC',
    LC_ALL: 'C',
    LD_PRELOAD: '/lib/libjemalloc.so',
    CUDA_VISIBLE_DEVICES: '0',
    SystemRoot: 'C:\\Windows',
  };
  const heldBack = {
    INFINITY_API_KEY: 'a',
    HF_TOKEN: 'b',
    HTTPS_PROXY: 'http://user:password@proxy',
    NODE_OPTIONS: '--inspect',
    AWS_SECRET_ACCESS_KEY: 'c',
    SSH_AUTH_SOCK: '/tmp/d',
  };
  expect(inferenceEnvironment({ ...heldBack, ...passedOn })).toEqual({
    ...passedOn,
    ORT_DISABLE_TELEMETRY: '1',
  });
});
