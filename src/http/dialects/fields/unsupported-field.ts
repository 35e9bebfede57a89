/**
 * A field of a dialect that would change the answer and that this server does not follow: only the values that ask for
 * nothing pass, any other is refused; as JSON Schema. Fields without an effect on the answer are ignored.
 */
export function unsupportedField<const Neutral extends readonly unknown[]>(...neutral: Neutral) {
  return {
    enum: [...neutral, null] as const,
    description: 'Not supported: anything that would have an effect is refused.',
  };
}
