import { expect, test } from 'vitest';
import { choosePrompt } from './choose-prompt.ts';
import { readPrompts } from './read-prompts.ts';

const e5 = readPrompts({ prompts: { query: 'query: ', passage: 'passage: ' }, default_prompt_name: 'query' });
const plain = readPrompts(undefined);

test.each([
  ['no choice', undefined, ''],
  ['a name', { name: 'passage' }, 'passage: '],
  ['a text', { text: 'Represent: ' }, 'Represent: '],
  ['a query', { inputType: 'query' }, 'query: '],
  ['a document, whose prompt has an older name', { inputType: 'document' }, 'passage: '],
  ['a kind without a prompt', { inputType: 'clustering' }, ''],
] as const)('%s', (_name, choice, expected) => {
  expect(choosePrompt(e5, choice, 'e5')).toBe(expected);
});

test('a model without prompts takes any kind of text as it is', () => {
  expect(choosePrompt(plain, { inputType: 'query' }, 'bge')).toBe('');
});

test.each([
  [e5, "which has 'query', 'passage', got 'summary'"],
  [plain, "which has none, got 'summary'"],
])('a name that the model has not is refused with those it has', (prompts, message) => {
  expect(() => choosePrompt(prompts, { name: 'summary' }, 'm')).toThrow(message);
});

test.each([[{ prompts: ['a'] }], [{ prompts: { query: 5 } }], [{ prompts: 'query: ' }]])(
  '%j is not a table of prompts',
  (config) => {
    expect(() => readPrompts(config)).toThrow(expect.objectContaining({ code: 'invalid_model_folder' }));
  },
);
