import type { PromptChoice } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Prompts } from './read-prompts.ts';

/** Names under which models keep the prompt of each kind of text; the rule of `encode_query` and `encode_document`. */
const PROMPT_NAMES = {
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
  classification: ['classification'],
  clustering: ['clustering'],
} as const;

/**
 * What is put before each text. A kind of text that the model has no prompt for gets none: it does not tell them apart.
 * Throws `invalid_request` for the name of a prompt that it has not.
 */
export function choosePrompt(prompts: Prompts, choice: PromptChoice | undefined, servedName: string): string {
  if (choice === undefined) return '';
  if ('text' in choice) return choice.text;
  if ('inputType' in choice) {
    const name = PROMPT_NAMES[choice.inputType].find((known) => prompts.has(known));
    return name === undefined ? '' : (prompts.get(name) ?? '');
  }
  const prompt = prompts.get(choice.name);
  if (prompt !== undefined) return prompt;
  const names = [...prompts.keys()].map((name) => `'${name}'`).join(', ');
  throw new ServiceError(
    'invalid_request',
    `prompt_name: expected a prompt of the model \`${servedName}\`, which has ${names || 'none'}, got '${choice.name.slice(0, 100)}'`,
    { param: 'prompt_name' },
  );
}
