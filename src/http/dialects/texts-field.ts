/** The `input` field of a request body: one text or several; as JSON Schema. */
export function textsField(maxItems: number) {
  return {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems }],
    description: 'One text or a list of texts. Both ends are stripped of whitespace.',
  } as const;
}
