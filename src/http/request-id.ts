/** Visible ASCII only, so that it can stand in a log line and in a header; 128 is twice what tracing systems use. */
const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/** The `x-request-id` that the client (or its proxy) chose, if it is sane, otherwise a fresh one. */
export function requestId(header: string | string[] | undefined, newId: () => string): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : newId();
}
