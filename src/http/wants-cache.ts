/** The `cache` field of a request body; as JSON Schema. */
export const CACHE_FIELD = {
  type: ['boolean', 'null'],
  description:
    'False: computes the answer even where it is known from before, and does not keep it. The header `cache-control: no-cache` or `no-store` does the same.',
} as const;

const REFUSALS = new Set(['no-cache', 'no-store']);

/** False when the client wants an answer that is computed for it alone: by its `cache-control` header or its body's `cache`. */
export function wantsCache(cacheControl: string | undefined, body: unknown): boolean {
  const directives = cacheControl?.toLowerCase().split(',') ?? [];
  if (directives.some((directive) => REFUSALS.has(directive.trim()))) return false;
  return !(typeof body === 'object' && body !== null && 'cache' in body && body.cache === false);
}
