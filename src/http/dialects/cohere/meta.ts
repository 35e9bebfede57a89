/** What Cohere's clients read about a reply; as JSON Schema. */
export const COHERE_META_SCHEMA = {
  type: 'object',
  required: ['api_version', 'billed_units'],
  properties: {
    api_version: { type: 'object', required: ['version'], properties: { version: { type: 'string' } } },
    billed_units: {
      type: 'object',
      properties: { input_tokens: { type: 'integer' }, search_units: { type: 'integer' } },
      description: 'Nobody bills; the tokens are those that entered the model.',
    },
  },
} as const;

export function cohereMeta(
  version: string,
  billedUnits: { readonly input_tokens: number } | { readonly search_units: number },
) {
  return { api_version: { version }, billed_units: billedUnits };
}
