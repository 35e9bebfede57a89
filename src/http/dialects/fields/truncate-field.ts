import type { Truncation } from '../../../contracts/tokenizer.ts';

/** What becomes of a text that is too long; as JSON Schema. */
export const TRUNCATE_FIELD = {
  enum: [true, false, -1, 'left', 'right', null],
  description:
    '`true` (the default) or `-1`: a text that is too long for the model is cut at the side that the model prefers; `left` or `right`: at this side. `false`: it is refused.',
} as const;

/** `undefined` for the model's own side. */
export function readTruncate(field: boolean | -1 | 'left' | 'right' | null | undefined): Truncation | undefined {
  if (field === false) return 'none';
  return field === 'left' || field === 'right' ? field : undefined;
}

/** Cohere's words for the same; as JSON Schema. */
export const COHERE_TRUNCATE_FIELD = {
  enum: ['NONE', 'START', 'END', null],
  description:
    'Where a text that is too long is cut; at the side that the model prefers when absent. `NONE`: it is refused.',
} as const;

const COHERE_SIDES = { NONE: 'none', START: 'left', END: 'right' } as const;

export function readCohereTruncate(field: keyof typeof COHERE_SIDES | null | undefined): Truncation | undefined {
  return field === null || field === undefined ? undefined : COHERE_SIDES[field];
}

/** TEI's two fields; as JSON Schema. */
export const TEI_TRUNCATE_FIELDS = {
  truncate: {
    type: ['boolean', 'null'],
    description: 'Whether a text that is too long is cut (the default) or refused.',
  },
  truncation_direction: {
    enum: ['left', 'right', 'Left', 'Right', null],
    description: 'Where it is cut; at the side that the model prefers when absent.',
  },
} as const;

export interface TeiTruncate {
  readonly truncate?: boolean | null;
  readonly truncation_direction?: 'left' | 'right' | 'Left' | 'Right' | null;
}

export function readTeiTruncate({ truncate, truncation_direction: side }: TeiTruncate): Truncation | undefined {
  if (truncate === false) return 'none';
  if (side === null || side === undefined) return undefined;
  return side === 'left' || side === 'Left' ? 'left' : 'right';
}
