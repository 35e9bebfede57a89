import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ApiKey, RateLimits, Scope } from '../contracts/api-key.ts';
import type { Engine } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { RequestObserver } from '../contracts/finished-request.ts';
import type { Logger } from '../contracts/logger.ts';
import { answerClientError } from './answer-client-error.ts';
import { createAuthenticator } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.ts';
import { ROUTES } from './dialects/registry.ts';
import { registerJsonBodyParser } from './json-body-parser.ts';
import { logRequest } from './log-request.ts';
import { API_VERSION, collectOpenapi, registerDocs } from './openapi-document.ts';
import { allowEveryOrigin } from './permissive-cors.ts';
import { placeRoutes } from './place-routes.ts';
import { RateLimiter } from './rate-limiter.ts';
import { redirectRoot } from './redirect-root.ts';
import { refuseUnknownRoutes } from './refuse-unknown-routes.ts';
import { registerRoute } from './register-route.ts';
import { requestId } from './request-id.ts';
import { RequestsInHand } from './requests-in-hand.ts';
import type { RouteServices } from './route.ts';
import { createErrorSender } from './send-error.ts';
import { createTlsServer, type TlsIdentity } from './tls-server.ts';
import { prefixedPath } from './url-prefix.ts';
import { createWatch } from './watch-request.ts';

/** Where `/` leads when nothing else is said: below the prefix, too. */
const DOCS = '/docs';

export interface ServerOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Told of every request once it is over. */
  readonly observers?: readonly RequestObserver[];
  /** What `/metrics` replies. */
  readonly metrics: RouteServices['metrics'];
  /** The keys of the API's routes as they are now; while there are none, all clients may call. */
  readonly apiKeys: () => readonly ApiKey[];
  /** Of each key that has none of its own. */
  readonly rateLimits?: RateLimits;
  /** Whether `/metrics`, and the documentation, ask for a key too; not when absent. */
  readonly protectMetrics?: boolean;
  readonly protectDocs?: boolean;
  /** With it the server speaks TLS only. */
  readonly tls?: TlsIdentity | undefined;
  readonly connectionLimits?: ConnectionLimits;
  /** Most texts or documents in one request. */
  readonly maxClientBatchSize: number;
  readonly bodyLimitBytes: number;
  /** Whether pages of other origins may call; not when absent. */
  readonly permissiveCors?: boolean;
  /** Where `/` leads: the docs when absent, nowhere when empty. */
  readonly redirectSlash?: string;
  /** Path under which a proxy offers this server, for the OpenAPI document. */
  readonly proxyRootPath?: string | undefined;
  /** Seconds that a request may take once its body has been read; 0 sets no limit. */
  readonly requestTimeoutS: number;
  /** Path before every route; none when absent. */
  readonly urlPrefix?: string;
  /** How reranking gives documents back; as each dialect's clients expect when absent. */
  readonly documentForm?: RouteServices['documentForm'];
  /** The text that ids of a request stand for, where they are not the model's own. */
  readonly textOfIds?: RouteServices['textOfIds'];
  /** While true, API routes and `/ready` answer 503 and every connection closes after its reply. */
  readonly isShuttingDown?: () => boolean;
  /** Told of every request that is let in. */
  readonly requestsInHand?: RequestsInHand;
  /** Makes request ids and reply ids. */
  readonly newId?: () => string;
  readonly nowMs?: () => number;
}

/** The whole HTTP side, not yet listening. Closing it counts as shutting down. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const {
    engine,
    logger,
    observers = [],
    metrics,
    apiKeys,
    maxClientBatchSize,
    bodyLimitBytes,
    urlPrefix = '',
  } = options;
  const { documentForm = 'auto', redirectSlash = DOCS, textOfIds, newId = randomUUID, nowMs = Date.now } = options;
  const { requestsInHand = new RequestsInHand(), tls, connectionLimits: limits = CONNECTION_LIMITS } = options;
  const sendError = createErrorSender({ logger, bodyLimitBytes });
  const watch = createWatch([logRequest(logger), ...observers], bodyLimitBytes);
  const authenticate = createAuthenticator(apiKeys);
  const rateLimiter = new RateLimiter(options.rateLimits ?? {});
  let closing = false;
  const isShuttingDown = () => closing || (options.isShuttingDown?.() ?? false);

  const server = fastify({
    bodyLimit: bodyLimitBytes,
    // Fastify's own 503 has another body; `guard` answers.
    return503OnClosing: false,
    keepAliveTimeout: limits.keepAliveTimeout,
    requestTimeout: limits.requestTimeout,
    // Without the second, Node refuses by itself and without a body; the first hook does it.
    http: { ...limits, requireHostHeader: false },
    ...(tls === undefined
      ? {}
      : { serverFactory: (listener: RequestListener) => createTlsServer(tls, limits, listener) }),
    routerOptions: {
      // Base URLs are pasted with and without a slash at their end.
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Model names are paths at times.
      maxParamLength: limits.maxHeaderSize,
    },
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    genReqId: (request) => requestId(request.headers['x-request-id'], newId),
    // Of which no hook hears.
    frameworkErrors: (error, request, reply) => {
      watch(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newId),
  });
  // `bodyRoute` validates and routes send JSON text: the schemas that Fastify sees only describe.
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setErrorHandler(sendError);
  registerJsonBodyParser(server);
  // An expectation that we do not know may be ignored; Node's refusal has no body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));

  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  for (const name of ['work', 'failure', 'apiKey'] as const) server.decorateRequest(name, undefined);
  server.addHook('onRequest', async (request, reply) => {
    watch(request, reply);
    reply.header('x-request-id', request.id);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new ServiceError('invalid_request', 'Host: this header is required, and it is missing');
    }
  });
  server.addHook('onSend', async (_, reply) => {
    if (isShuttingDown()) reply.header('connection', 'close');
  });
  if (options.permissiveCors === true) await allowEveryOrigin(server);
  refuseUnknownRoutes(server);

  const guard = (scope: Scope) => async (request: FastifyRequest, reply: FastifyReply) => {
    request.apiKey = authenticate(request.raw);
    authorize(request.apiKey, scope);
    // To be read to the end, by who has to know how it goes; they cost nothing that has to be shared.
    if (scope === 'metrics' || scope === 'docs') return;
    if (isShuttingDown()) {
      throw new ServiceError('shutting_down', 'The server is shutting down and takes no new requests');
    }
    rateLimiter.admit(request.apiKey);
    reply.raw.once('close', () => rateLimiter.spend(request.apiKey, request.work?.tokens ?? 0));
    requestsInHand.add(reply.raw);
  };

  await collectOpenapi(server, options.proxyRootPath);
  const services = {
    engine,
    metrics,
    metricsAccess: options.protectMetrics === true ? ('metrics' as const) : ('open' as const),
    maxClientBatchSize,
    isShuttingDown,
    newId,
    nowMs,
    documentForm,
    textOfIds,
    version: API_VERSION,
  };
  const routes = ROUTES.map((makeRoute) => makeRoute(services));
  for (const { route, places } of placeRoutes(routes, urlPrefix)) {
    registerRoute(server, route, places, { guard, requestsInHand, requestTimeoutS: options.requestTimeoutS });
  }
  await registerDocs(server, urlPrefix, options.protectDocs === true ? guard('docs') : undefined);
  redirectRoot(server, redirectSlash === DOCS ? prefixedPath(urlPrefix, DOCS) : redirectSlash);
  return server;
}

/** Stands where Fastify would load Ajv and a serialiser (a tenth of a second at start), until both are set below it. */
function unused(): never {
  throw new Error('Schema compilers: expected those that createServer sets, got none');
}
