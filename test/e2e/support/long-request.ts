export const EMBEDDER = 'BAAI/bge-small-en-v1.5';

/** An embedding request of so many texts of 512 tokens, each of which is a run of its own. */
export function longRequest(texts: number) {
  return { model: EMBEDDER, input: Array.from({ length: texts }, (_, index) => `${index} ${'word '.repeat(600)}`) };
}

export const SHORT_REQUEST = { model: EMBEDDER, input: 'one short text' };
