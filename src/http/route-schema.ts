import type { FastifySchema } from 'fastify';
import type { ErrorCode } from '../contracts/errors.ts';
import { ERROR_FORMS } from './error-form.ts';
import { errorRow } from './error-table.ts';
import type { Route } from './route.ts';

const KEY_ERRORS: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'shutting_down'];
const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
];

/** What the OpenAPI document says about a route at one of its paths. Nothing validates by it: `bodyRoute` does. */
export function routeSchema(route: Route, path: string): FastifySchema {
  const codes: ErrorCode[] = [
    ...(route.body === undefined ? [] : BODY_ERRORS),
    ...(route.access === 'open' ? [] : KEY_ERRORS),
    ...route.errors,
    'internal_error',
  ];
  return {
    summary: route.summary,
    tags: [route.tag],
    operationId: path === route.paths[0] ? route.operationId : `${route.operationId}_${pathWord(path)}`,
    // The empty requirement: a server without a key asks for none.
    security: route.access === 'open' ? [] : [{ bearer: [] }, {}],
    ...(route.body === undefined ? {} : { body: route.body }),
    response: { ...errorReplies(codes, errorSchema(route)), ...describedReplies(route) },
  };
}

/** One schema per status, described by the codes that it stands for. */
function errorReplies(codes: readonly ErrorCode[], schema: object) {
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorRow(code);
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  const replies = [...codesByStatus].map(([status, group]) => {
    const description = `Error: ${group.map((code) => `\`${code}\``).join(', ')}.`;
    return [status, { ...schema, description }];
  });
  return Object.fromEntries(replies);
}

function describedReplies({ replies }: Route) {
  const entries = Object.entries(replies);
  return Object.fromEntries(entries.map(([status, schema]) => [status, { description: 'The reply.', ...schema }]));
}

/** A route whose errors depend on the body has both forms. */
function errorSchema({ errorForm = () => 'openai' }: Route): object {
  const forms = new Set([errorForm(undefined), errorForm({ texts: [] })]);
  const schemas = [...forms].map((form) => ERROR_FORMS[form].schema);
  return schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas };
}

/** Tells the operations of one route apart: their paths differ in `/v1`. */
function pathWord(path: string): string {
  return /^\/(v\d+)\//.exec(path)?.[1] ?? 'bare';
}
