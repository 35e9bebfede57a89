import type { RouteFactory } from '../route.ts';
import { cohereRerank } from './cohere/rerank.ts';
import { classify } from './infinity/classify.ts';
import { health } from './infinity/health.ts';
import { ready } from './infinity/ready.ts';
import { infinityRerank } from './infinity/rerank.ts';
import { embeddings } from './openai/embeddings.ts';
import { model } from './openai/model.ts';
import { models } from './openai/models.ts';

/** Every route of the API, one line each, in the order of the OpenAPI document. */
export const ROUTES: readonly RouteFactory[] = [
  embeddings,
  cohereRerank,
  infinityRerank,
  classify,
  models,
  model,
  health,
  ready,
];
