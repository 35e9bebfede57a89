/**
 * Ids that entered the model: special tokens included, after truncation. Both numbers are the same, since nothing is
 * generated; as JSON Schema.
 */
export const USAGE_SCHEMA = {
  type: 'object',
  required: ['prompt_tokens', 'total_tokens'],
  properties: { prompt_tokens: { type: 'integer' }, total_tokens: { type: 'integer' } },
} as const;

export function usageJson(tokens: number): string {
  return `{"prompt_tokens":${tokens},"total_tokens":${tokens}}`;
}
