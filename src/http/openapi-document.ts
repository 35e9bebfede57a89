import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { prefixedPath } from './url-prefix.ts';

/** Of the API, not of the package: it changes when a client could notice. */
export const API_VERSION = '0.1.0';

const DESCRIPTION = `Text embeddings and reranking, compatible with OpenAI's API and with the API of infinity_emb.
Every error reply has the body \`{"error":{"message","type","param","code"}}\`, on the routes of TEI \`{"error","error_type"}\`, and every reply the header \`x-request-id\`.`;

/**
 * Pages of Swagger UI: scripts of its package only, requests to this server only, in no frame of another page. Its styles are
 * partly written into elements.
 */
const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Collects the schemas of all routes that are registered after it. `rootPath` is where a proxy offers them. */
export async function collectOpenapi(server: FastifyInstance, rootPath: string | undefined): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'infinity-ts', description: DESCRIPTION, version: API_VERSION },
      ...(rootPath === undefined ? {} : { servers: [{ url: rootPath }] }),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    convertConstToEnum: false,
    // The only wildcard of the API stands for a model's name.
    transform: ({ schema, url }) => ({ schema, url: url.replace('*', ':id') }),
  });
}

/** `/openapi.json`, Swagger UI at `/docs` from files of its package (nothing is fetched from elsewhere). `guard` lets in. */
export async function registerDocs(
  server: FastifyInstance,
  prefix: string,
  guard: onRequestAsyncHookHandler | undefined,
): Promise<void> {
  const docs = prefixedPath(prefix, '/docs');
  await server.register(async (pages) => {
    // For the files of the package too, which have no hooks of their own.
    pages.addHook('onRequest', async function (request, reply) {
      reply.headers(DOCS_HEADERS);
      await guard?.call(this, request, reply);
    });
    await pages.register(fastifySwaggerUi, { routePrefix: docs });
    let document: string | undefined;
    pages.get(prefixedPath(prefix, '/openapi.json'), { schema: { hide: true } }, (_, reply) => {
      document ??= JSON.stringify(server.swagger());
      reply.type('application/json').send(document);
    });
  });
}
