import type { Task } from '../../contracts/compiled-model.ts';
import type { ConfigureHead } from './head.ts';
import { pooledEmbedding } from './pooled-embedding.ts';
import { sequenceClassification } from './sequence-classification.ts';

/** One line for each task. */
export const HEADS: Readonly<Record<Task, ConfigureHead>> = {
  embed: pooledEmbedding,
  rerank: sequenceClassification,
  classify: sequenceClassification,
};
