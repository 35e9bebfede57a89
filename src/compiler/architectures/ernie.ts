/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/ernie/modeling_ernie.py */
import { ConfigFields } from '../config/config-fields.ts';
import type { Architecture } from './architecture.ts';
import { bertLike } from './bert-like.ts';

/** ErnieEmbeddings: no tokenizer gives `task_type_ids`, and without them every token has task 0. */
export const ernie: Architecture = bertLike('ernie', (embeddings, json, config) => {
  const fields = new ConfigFields(json, 'config.json');
  if (!fields.flag('use_task_id', false)) return undefined;
  const tasks = fields.positiveInteger('task_type_vocab_size', 3);
  return embeddings.read('task_type_embeddings.weight', [tasks, config.hidden_size]);
});
