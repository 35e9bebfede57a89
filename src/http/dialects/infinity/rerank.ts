import type { RouteFactory } from '../../route.ts';
import { rerankRoute } from '../rerank/rerank-route.ts';

/** The original's form: a document comes back as the string it was. */
export const infinityRerank: RouteFactory = (services) =>
  rerankRoute(
    {
      path: '/rerank',
      operationId: 'rerank',
      summary: 'Rank documents for a query; documents come back as strings',
      documentForm: 'string',
    },
    services,
  );
