/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/camembert */
import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { robertaLike } from './roberta-like.ts';

export const camembert: Architecture = robertaLike('camembert', BERT_DEFAULTS);
