import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Errors } from 'typebox/schema';
import { onTestFinished } from 'vitest';
import { keyDigest } from '../../contracts/api-key.ts';
import type { LogFields, Logger } from '../../contracts/logger.ts';
import { createServer, type ServerOptions } from '../create-server.ts';
import { fakeEngine, modelStatus } from './fake-engine.ts';

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

export interface TestServer {
  readonly server: FastifyInstance;
  readonly logLines: readonly LogLine[];
  /** Sends a request and fails when the OpenAPI document does not describe the reply. */
  request(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** A POST of JSON: a string goes as it is. */
  post(url: string, payload: string | object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** What a server of a test is when the test says nothing: quiet, without a key, at a fixed time. */
export const TEST_OPTIONS: ServerOptions = {
  engine: fakeEngine({ models: () => [modelStatus('a/b')] }),
  logger: { error() {}, warning() {}, info() {}, debug() {} },
  metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', render: async () => 'up 1\n' },
  apiKeys: () => [],
  maxClientBatchSize: 4,
  bodyLimitBytes: 100_000,
  requestTimeoutS: 0,
  nowMs: () => 1_796_063_637_489,
};

/** Of a server that asks for these. */
export function testKeys(...keys: readonly string[]): { readonly apiKeys: ServerOptions['apiKeys'] } {
  const known = keys.map((key) => ({ name: `name of ${key}`, digest: keyDigest(key) }));
  return { apiKeys: () => known };
}

/** A server at a fixed time whose ids are `id-1`, `id-2`, ...; closed when the test ends. */
export async function createTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const logLines: LogLine[] = [];
  const log = (level: keyof Logger) => (message: string, fields?: LogFields) => {
    logLines.push({ level, message, fields });
  };
  let ids = 0;
  const server = await createServer({
    ...TEST_OPTIONS,
    logger: { error: log('error'), warning: log('warning'), info: log('info'), debug: log('debug') },
    newId: () => `id-${++ids}`,
    ...options,
  });
  onTestFinished(() => server.close());

  async function request(injected: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await server.inject(injected);
    expectDocumented(server, injected, response);
    return response;
  }

  async function post(url: string, payload: string | object, headers: Record<string, string> = {}) {
    return request({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
  }

  return { server, logLines, request, post };
}

function expectDocumented(
  server: FastifyInstance,
  { method = 'GET', url }: InjectOptions,
  response: LightMyRequestResponse,
) {
  const path = String(url).replace(/^(\/v1)?\/models\/.+/, '$1/models/{id}');
  const operation = lookUp(server.swagger(), 'paths', path, method.toLowerCase());
  if (operation === undefined) return;
  const contentType = String(response.headers['content-type']).replace(/;.*/, '');
  const schema = lookUp(operation, 'responses', String(response.statusCode), 'content', contentType, 'schema');
  if (typeof schema !== 'object' || schema === null) {
    throw new Error(
      `${method} ${path}: the OpenAPI document has no schema for ${contentType} with status ${response.statusCode}`,
    );
  }
  const [valid, errors] = Errors(schema, contentType === 'application/json' ? response.json() : response.body);
  if (!valid)
    throw new Error(`${method} ${path} ${response.statusCode}: ${JSON.stringify(errors)} in ${response.body}`);
}

function lookUp(document: unknown, ...keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
