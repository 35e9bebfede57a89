import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import { ERROR_FORMS } from './error-form.ts';
import { type ErrorRow, errorRow } from './error-table.ts';
import { toServiceError } from './framework-error.ts';

export interface ErrorSenderOptions {
  readonly logger: Logger;
  readonly bodyLimitBytes: number;
}

export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** The only place where an error becomes a reply: status and headers by the table, the body in the form of the route. */
export function createErrorSender({ logger, bodyLimitBytes }: ErrorSenderOptions): SendError {
  return (thrown, request, reply) => {
    const error = toServiceError(thrown, bodyLimitBytes);
    const row = errorRow(error.code);
    request.failure = error.code;
    const form = request.routeOptions.config?.errorForm?.(request.body) ?? 'openai';
    if (row.log !== undefined) logger[row.log]('request failed', failureFields(error, row, request));
    reply
      .code(row.status)
      .headers(row.headers ?? {})
      .headers(error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) })
      .header('x-request-id', request.id)
      .type('application/json')
      .send(JSON.stringify(ERROR_FORMS[form].body(error)));
  };
}

function failureFields(error: ServiceError, row: ErrorRow, request: FastifyRequest) {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    code: error.code,
    reason: error.message,
    cause: row.log === 'error' ? describeCause(error.cause) : undefined,
  };
}

function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
