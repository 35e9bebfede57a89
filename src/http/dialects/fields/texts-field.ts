import type { TextInput } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';

/** Most ids in one list: four times what the longest models read. Guards the time that checking them takes. */
const MAX_IDS = 131_072;

const IDS = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: MAX_IDS } as const;

/** Several texts; as JSON Schema. */
export function textListField(maxItems: number) {
  return { type: 'array', items: { type: 'string' }, minItems: 1, maxItems } as const;
}

/** One text or several; as JSON Schema. */
export function textsField(maxItems: number) {
  return {
    anyOf: [{ type: 'string' }, textListField(maxItems)],
    description: 'One text or a list of texts. Both ends are stripped of whitespace.',
  } as const;
}

/**
 * One text or several, or lists of token ids in their place; as JSON Schema. One list for all, so that a message speaks of
 * what the client sent, not of the other branches; `readTextInputs` checks the rest.
 */
export function textInputsField(maxItems: number) {
  return {
    anyOf: [
      { type: 'string' },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }, IDS] },
        minItems: 1,
        maxItems: MAX_IDS,
      },
    ],
    description: `One text, or a list of at most ${maxItems} texts; token ids, as a list or a list of lists, stand for a text.`,
  } as const;
}

export interface InputsRules {
  readonly maxItems: number;
  /** Name of the field. */
  readonly param: string;
}

type Entries = readonly (string | number | readonly number[])[];

/** The texts and lists of ids of such a field: a flat list of numbers is one of them. Throws `invalid_request`. */
export function readTextInputs(field: string | Entries, rules: InputsRules): readonly TextInput[] {
  if (typeof field === 'string') return [field];
  const numbers = field.filter((entry) => typeof entry === 'number');
  if (numbers.length === field.length) return [numbers];
  if (numbers.length > 0) {
    throw refusal(rules, 'token ids or texts, got a list of both: ids beside texts are a list of their own');
  }
  if (field.length > rules.maxItems) throw refusal(rules, `at most ${rules.maxItems} items, got ${field.length}`);
  return field.filter((entry) => typeof entry !== 'number');
}

/** One list of token ids or several; as JSON Schema. */
export function idsField(maxItems: number) {
  return {
    type: 'array',
    items: { anyOf: [{ type: 'integer' }, IDS] },
    minItems: 1,
    maxItems: MAX_IDS,
    description: `A list of token ids, or a list of at most ${maxItems} such lists.`,
  } as const;
}

/** The lists of ids of such a field. Throws `invalid_request`. */
export function readIdRows(
  field: readonly (number | readonly number[])[],
  rules: InputsRules,
): readonly (readonly number[])[] {
  return readTextInputs(field, rules).filter((input) => typeof input !== 'string');
}

function refusal({ param }: InputsRules, problem: string): ServiceError {
  return new ServiceError('invalid_request', `${param}: expected ${problem}`, { param });
}
