import type { Static } from 'typebox';
import type { Scope } from '../contracts/api-key.ts';
import type { Engine, RequestContext } from '../contracts/engine.ts';
import type { ErrorCode, ServiceError } from '../contracts/errors.ts';
import type { LargeBody } from './assemble-body.ts';
import { compileBody } from './compile-body.ts';
import type { DocumentForm } from './dialects/rerank/document-form.ts';
import type { ErrorForm } from './error-form.ts';

/** What is counted of the service, in Prometheus' text format. */
export interface Metrics {
  readonly contentType: string;
  render(): Promise<string>;
}

/** What a route may use. */
export interface RouteServices {
  readonly engine: Engine;
  readonly metrics: Metrics;
  /** Most items that one request may hold. */
  readonly maxClientBatchSize: number;
  /** Who may read them. */
  readonly metricsAccess: Route['access'];
  readonly isShuttingDown: () => boolean;
  /** A fresh UUID. */
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** `auto`: as each dialect's clients expect. */
  readonly documentForm: 'auto' | DocumentForm;
  /** The text that ids of a request stand for, where they are not the model's own. */
  readonly textOfIds: ((ids: readonly number[]) => string) | undefined;
  /** Of the server. */
  readonly version: string;
}

/** The context is that of its work: it aborts when the client has gone away or the time limit is over. */
export interface RouteCall extends RequestContext {
  /** The parsed JSON, not yet validated; `undefined` when the body was empty. */
  readonly body: unknown;
  /** What the `*` at the end of the path stood for, percent-decoded. */
  readonly wildcard: string;
}

export interface RouteReply {
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON when absent. */
  readonly contentType?: string;
  readonly body: string | LargeBody;
}

/** One endpoint of one dialect, with what the OpenAPI document says about it. A file makes one; the registry lists it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** All the paths that it answers; one may end in `*`. */
  readonly paths: readonly string[];
  /** The scope that its API key must have, where keys are asked for; such a route is refused while the server shuts down. */
  readonly access: 'open' | Scope;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** The form of its errors, by the body where there is one; `openai` when absent. */
  readonly errorForm?: (body: unknown) => ErrorForm;
  /** Whether it is also at the root when the server has a URL prefix. */
  readonly atRoot?: boolean;
  /** JSON Schema of the body. */
  readonly body?: object;
  /** JSON Schema of the reply by status, or what its `content` is where that is not JSON; errors left out. */
  readonly replies: Readonly<Record<number, object>>;
  /** Errors that its own work can end in; those of the door (key, body, shutdown) are added. */
  readonly errors: readonly ErrorCode[];
  handle(call: RouteCall): RouteReply | Promise<RouteReply>;
}

export type RouteFactory = (services: RouteServices) => Route;

export interface BodyRoute<Body extends object> extends Omit<Route, 'method' | 'handle' | 'body'> {
  readonly body: Body;
  /** A better message for a body that its schema has refused, where the route knows what the client meant. */
  readonly explainBody?: (body: unknown) => ServiceError | undefined;
  handle(body: Static<Body>, call: RouteCall): RouteReply | Promise<RouteReply>;
}

/** A POST route whose body has passed its schema before `handle` sees it. */
export function bodyRoute<const Body extends object>(route: BodyRoute<Body>): Route {
  const { explainBody, handle, ...description } = route;
  const parse = compileBody(route.body, explainBody);
  return { ...description, method: 'POST', handle: (call) => handle(parse(call.body), call) };
}
