import type { PromptChoice } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';

/** The kinds of text, in the words of everyone who has such a field; `undefined`: nothing that a prompt could say. */
const INPUT_TYPES = {
  query: 'query',
  document: 'document',
  passage: 'document',
  search_query: 'query',
  search_document: 'document',
  classification: 'classification',
  clustering: 'clustering',
} as const;

export const INPUT_TYPE_FIELD = {
  enum: [...keysOf(INPUT_TYPES), null],
  description:
    "What the texts are for: puts the model's own prompt for it before each, as `config_sentence_transformers.json` has it. A model that has none takes the texts as they are.",
} as const;

export const PROMPT_NAME_FIELD = {
  type: ['string', 'null'],
  description: "Puts this one of the model's own prompts before each text.",
} as const;

/** What stands before each text: at most one of them; as JSON Schema. */
export const PROMPT_FIELDS = {
  prompt_name: PROMPT_NAME_FIELD,
  prompt: { type: ['string', 'null'], description: 'Put before each text as it is.' },
  input_type: INPUT_TYPE_FIELD,
} as const;

export interface PromptFields {
  readonly prompt_name?: string | null;
  readonly prompt?: string | null;
  readonly input_type?: keyof typeof INPUT_TYPES | null;
}

/** Throws `invalid_request` when there are several. */
export function readPrompt({ prompt_name: name, prompt: text, input_type }: PromptFields): PromptChoice | undefined {
  const choices: PromptChoice[] = [];
  if (typeof name === 'string') choices.push({ name });
  if (typeof text === 'string') choices.push({ text });
  if (input_type !== null && input_type !== undefined) choices.push({ inputType: INPUT_TYPES[input_type] });
  if (choices.length < 2) return choices[0];
  throw new ServiceError(
    'invalid_request',
    `prompt: expected at most one of prompt_name, prompt and input_type, got ${choices.length}`,
    { param: 'prompt' },
  );
}

function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  // `Object.keys` forgets the names.
  return Object.keys(table) as (keyof T & string)[];
}
