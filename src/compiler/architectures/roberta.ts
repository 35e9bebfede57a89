import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { robertaLike } from './roberta-like.ts';

export const roberta: Architecture = robertaLike('roberta', { ...BERT_DEFAULTS, vocab_size: 50265 });
