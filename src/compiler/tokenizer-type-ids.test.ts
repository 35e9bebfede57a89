import { expect, test } from 'vitest';
import { tokenizerGivesTypeIds } from './tokenizer-type-ids.ts';

test.each([
  [undefined, true],
  [{}, true],
  [{ tokenizer_class: 'BertTokenizer' }, true],
  [{ tokenizer_class: 'BertTokenizerFast' }, true],
  [{ tokenizer_class: 'ElectraTokenizer' }, true],
  [{ tokenizer_class: 'DebertaV2Tokenizer' }, true],
  [{ tokenizer_class: 'RobertaTokenizer' }, false],
  [{ tokenizer_class: 'DistilBertTokenizer' }, false],
  [{ tokenizer_class: 'PreTrainedTokenizerFast' }, false],
  [{ tokenizer_class: 'BertTokenizer', model_input_names: ['input_ids', 'attention_mask'] }, false],
  [{ tokenizer_class: 'PreTrainedTokenizerFast', model_input_names: ['input_ids', 'token_type_ids'] }, true],
])('%j: %s', (tokenizerConfig, gives) => {
  expect(tokenizerGivesTypeIds(tokenizerConfig)).toBe(gives);
});
