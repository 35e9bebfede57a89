import type { RouteFactory } from '../../route.ts';
import { rerankRoute } from '../rerank/rerank-route.ts';

/** The form that clients of Cohere and Jina read: a document comes back as an object with its text. */
function rerankVersion(version: '1' | '2'): RouteFactory {
  return (services) =>
    rerankRoute(
      {
        path: `/v${version}/rerank`,
        operationId: `rerank_v${version}`,
        summary: 'Rank documents for a query; documents come back as objects',
        documentForm: 'object',
        apiVersion: version,
      },
      services,
    );
}

export const cohereRerankV1 = rerankVersion('1');
export const cohereRerankV2 = rerankVersion('2');
