import { expect, test } from 'vitest';
import { prefixedPath } from './url-prefix.ts';

test.each([
  ['', '/rerank', '/rerank'],
  ['/', '/v1/rerank', '/v1/rerank'],
  ['/api', '/rerank', '/api/rerank'],
  ['/api', '/v1/rerank', '/api/v1/rerank'],
  ['/v1', '/rerank', '/v1/rerank'],
  ['/v1', '/v1/rerank', '/v1/rerank'],
  ['/v1', '/v2/rerank', '/v2/rerank'],
  ['/api/v1', '/v1/embeddings', '/api/v1/embeddings'],
  ['/api/v1', '/v2/embed', '/api/v2/embed'],
])('below %j, %s is %s', (prefix, path, expected) => {
  expect(prefixedPath(prefix, path)).toBe(expected);
});
