import type { RouteFactory } from '../../route.ts';
import { rerankRoute } from '../rerank/rerank-route.ts';

/** The form that clients of Cohere and Jina read: a document comes back as an object with its text. */
export const cohereRerank: RouteFactory = (services) =>
  rerankRoute(
    {
      path: '/v1/rerank',
      operationId: 'rerank_v1',
      summary: 'Rank documents for a query; documents come back as objects',
      documentSchema: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string' } },
        examples: [{ text: 'Munich is in Germany.' }],
      },
      documentJson: (text) => `{"text":${JSON.stringify(text)}}`,
    },
    services,
  );
