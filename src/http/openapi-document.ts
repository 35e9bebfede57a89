import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { prefixedPath } from './url-prefix.ts';

/** Of the API, not of the package: it changes when a client could notice. */
export const API_VERSION = '0.1.0';

const DESCRIPTION = `Text embeddings and reranking, compatible with OpenAI's API and with the API of infinity_emb.
Every error reply has the body \`{"error":{"message","type","param","code"}}\`, on the routes of TEI \`{"error","error_type"}\`, and every reply the header \`x-request-id\`.`;

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

/** `/openapi.json`, Swagger UI at `/docs` from files of its package (nothing is fetched from elsewhere). */
export async function registerDocs(server: FastifyInstance, prefix: string): Promise<void> {
  const docs = prefixedPath(prefix, '/docs');
  await server.register(fastifySwaggerUi, { routePrefix: docs });
  const hide = { schema: { hide: true } };
  let document: string | undefined;
  server.get(prefixedPath(prefix, '/openapi.json'), hide, (_, reply) => {
    document ??= JSON.stringify(server.swagger());
    reply.type('application/json').send(document);
  });
}
