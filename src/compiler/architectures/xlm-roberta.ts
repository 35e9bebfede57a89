/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/xlm_roberta */
import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { robertaLike } from './roberta-like.ts';

export const xlmRoberta: Architecture = robertaLike('xlm-roberta', BERT_DEFAULTS);
