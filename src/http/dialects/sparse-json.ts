import type { SparseVector } from '../../contracts/engine.ts';

/** A sparse vector as `{index, value}` pairs, in the order of the indices; as JSON Schema. */
export const SPARSE_PAIRS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['index', 'value'],
    properties: { index: { type: 'integer' }, value: { type: 'number' } },
  },
} as const;

/** A sparse vector as the weight of each entry of the vocabulary; as JSON Schema. */
export const SPARSE_TOKENS_SCHEMA = { type: 'object', additionalProperties: { type: 'number' } } as const;

export function sparsePairsJson({ ids, weights }: SparseVector): string {
  return `[${Array.from(ids, (id, index) => `{"index":${id},"value":${weights[index]}}`).join(',')}]`;
}

export function sparseTokensJson({ ids, weights, tokens = [] }: SparseVector): string {
  const name = (id: number, index: number) => JSON.stringify(tokens[index] ?? String(id));
  return `{${Array.from(ids, (id, index) => `${name(id, index)}:${weights[index]}`).join(',')}}`;
}
