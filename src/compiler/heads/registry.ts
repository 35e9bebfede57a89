import { bgeM3Colbert, bgeM3Sparse } from './bge-m3.ts';
import { colbert } from './colbert.ts';
import { generativeRerank } from './generative-rerank.ts';
import type { ConfigureHead } from './head.ts';
import { pooledEmbedding } from './pooled-embedding.ts';
import { sequenceClassification } from './sequence-classification.ts';
import { splade } from './splade.ts';

/** One line for each head; `detectHeads` says which a model has. */
export const HEADS = {
  pooledEmbedding,
  sequenceClassification,
  generativeRerank,
  splade,
  colbert,
  bgeM3Sparse,
  bgeM3Colbert,
} satisfies Readonly<Record<string, ConfigureHead>>;

export type HeadName = keyof typeof HEADS;
