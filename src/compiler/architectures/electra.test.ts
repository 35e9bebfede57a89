import { expect, test } from 'vitest';
import { electra } from './electra.ts';

test('an empty config has the defaults of the reference', () => {
  expect(electra.configure({})).toMatchObject({
    hiddenSize: 256,
    vocabularySize: 30522,
    maxPositions: 512,
    tokenTypes: 2,
  });
});

test.each([
  [{ is_decoder: true }, 'unsupported_architecture', 'electra: is_decoder is true, expected false'],
  [{ hidden_act: 'snake' }, 'unsupported_architecture', "electra: hidden_act is 'snake'"],
  [{ embedding_size: 'small' }, 'invalid_model_folder', "field 'embedding_size' should be a positive whole number"],
])('%j is refused by name', (config, code, message) => {
  expect(() => electra.configure(config)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});
