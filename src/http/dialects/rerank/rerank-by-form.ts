import type { Route, RouteCall, RouteFactory } from '../../route.ts';
import { infinityRerank } from '../infinity/rerank.ts';
import { teiRerank } from '../tei/rerank.ts';

/** `/rerank` is a route of the original and of TEI: a body with `texts` and no `documents` is TEI's. */
export const rerankByForm: RouteFactory = (services) => {
  const infinity = infinityRerank(services);
  const tei = teiRerank(services);
  const routeOf = (body: unknown) => (isTei(body) ? tei : infinity);
  return {
    ...infinity,
    summary: 'Rank documents, or the texts of TEI, for a query; documents come back as strings',
    body: { anyOf: [infinity.body, tei.body], examples: examplesOf(infinity.body, tei.body) },
    replies: {
      200: {
        description: 'Best first.',
        anyOf: [infinity.replies[200], tei.replies[200]],
        examples: examplesOf(infinity.replies[200], tei.replies[200]),
      },
    },
    errorForm: (body) => (isTei(body) ? 'tei' : 'openai'),
    handle: (call: RouteCall) => routeOf(call.body).handle(call),
  } satisfies Route;
};

function examplesOf(...schemas: readonly (object | undefined)[]): readonly unknown[] {
  return schemas.flatMap((schema = {}) => ('examples' in schema ? schema.examples : []));
}

function isTei(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'texts') && !Object.hasOwn(body, 'documents');
}
