import { expect, test } from 'vitest';
import { camembert } from './camembert.ts';
import { roberta } from './roberta.ts';
import { xlmRoberta } from './xlm-roberta.ts';

test('an empty config has the defaults of each reference', () => {
  const sizes = { hiddenSize: 768, tokenTypes: 2, maxPositions: 510 };
  expect(roberta.configure({})).toMatchObject({ ...sizes, vocabularySize: 50265 });
  expect(xlmRoberta.configure({})).toMatchObject({ ...sizes, vocabularySize: 30522 });
  expect(camembert.configure({})).toMatchObject({ ...sizes, vocabularySize: 30522 });
});

test.each([
  [{ max_position_embeddings: 514 }, 512],
  [{ max_position_embeddings: 514, pad_token_id: 1 }, 512],
  [{ max_position_embeddings: 514, pad_token_id: 0 }, 513],
  [{ max_position_embeddings: 8194, pad_token_id: 1 }, 8192],
])('%j leaves %i positions', (config, maxPositions) => {
  expect(xlmRoberta.configure(config).maxPositions).toBe(maxPositions);
});

test.each([
  [{ is_decoder: true }, 'roberta: is_decoder is true, expected false'],
  [{ position_embedding_type: 'relative_key' }, 'roberta: position_embedding_type is "relative_key"'],
  [{ hidden_act: 'snake' }, "roberta: hidden_act is 'snake', expected one of gelu, "],
])('%j is refused by name', (config, message) => {
  expect(() => roberta.configure(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test.each([
  [{ pad_token_id: -1 }, "field 'pad_token_id' should be a whole number, 0 or more, got -1"],
  [{ max_position_embeddings: 2 }, 'max_position_embeddings should be over pad_token_id + 1, got 2 and 1'],
])('%j is no valid config', (config, message) => {
  expect(() => roberta.configure(config)).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder', message: expect.stringContaining(message) }),
  );
});
