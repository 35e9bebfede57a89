import { expect, test } from 'vitest';
import { createRouteIndex } from './route-index.ts';

const index = createRouteIndex();
index.add('POST', '/v1/rerank');
index.add(['GET', 'HEAD'], '/models/*');
index.add('GET', '/models');
index.add('GET', '/');

test.each([
  ['/v1/rerank', ['POST']],
  ['/v1/rerank/', ['POST']],
  ['//v1///rerank?x=/models/y', ['POST']],
  ['/v1/rerank/x', []],
  ['/v1', []],
  ['/models', ['GET']],
  ['/models/', ['GET']],
  ['/models/a/b', ['GET', 'HEAD']],
  ['/', ['GET']],
  ['/?', ['GET']],
])('%s answers %j', (url, methods) => {
  expect(index.methodsOf(url)).toEqual(methods);
});
