import type { JsonObject } from '../contracts/json.ts';

/** Tokenizer classes that give token types unless told otherwise. */
const CLASSES_WITH_TYPE_IDS = /^(Bert|BertJapanese|ConvBert|Deberta|DebertaV2|Electra|MobileBert)Tokenizer(Fast)?$/;

/**
 * Whether a model's tokenizer gives token type ids: as `model_input_names` in `tokenizer_config.json` says, otherwise by
 * the class; a BERT folder that names no class gets BERT's. The reference passes type ids to the model only then, and
 * type 0 everywhere otherwise, whatever the types inside `tokenizer.json` are.
 */
export function tokenizerGivesTypeIds(tokenizerConfig: JsonObject | undefined): boolean {
  const { model_input_names: names, tokenizer_class: className } = tokenizerConfig ?? {};
  if (Array.isArray(names)) return names.includes('token_type_ids');
  return typeof className !== 'string' || CLASSES_WITH_TYPE_IDS.test(className);
}
