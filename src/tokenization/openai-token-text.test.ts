import { beforeAll, expect, test } from 'vitest';
import { type OpenaiTokenText, openCl100kText } from './openai-token-text.ts';

let textOf: OpenaiTokenText;
beforeAll(async () => {
  textOf = await openCl100kText();
});

test.each([
  [[15339, 1917], 'hello world'],
  // An emoji that is spread over several ids.
  [[9468, 239, 235], '👍'],
  [[100257], '<|endoftext|>'],
])('%j is %j', (ids, text) => {
  expect(textOf(ids)).toBe(text);
});

test.each([100_256, 200_000, -1])('%d is refused by name', (id) => {
  expect(() => textOf([15339, id])).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: `input: expected token ids of cl100k_base, got ${id} at position 1`,
    }),
  );
});
