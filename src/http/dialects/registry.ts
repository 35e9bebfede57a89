import type { RouteFactory } from '../route.ts';
import { cohereEmbedV1, cohereEmbedV2 } from './cohere/embed.ts';
import { cohereRerankV1, cohereRerankV2 } from './cohere/rerank.ts';
import { classify } from './infinity/classify.ts';
import { health } from './infinity/health.ts';
import { embeddingsAudio, embeddingsImage } from './infinity/media.ts';
import { metrics } from './infinity/metrics.ts';
import { ready } from './infinity/ready.ts';
import { embeddings } from './openai/embeddings.ts';
import { model } from './openai/model.ts';
import { models } from './openai/models.ts';
import { rerankByForm } from './rerank/rerank-by-form.ts';
import { teiDecode } from './tei/decode.ts';
import { teiEmbed, teiEmbedAll, teiEmbedSparse } from './tei/embed.ts';
import { teiInfo } from './tei/info.ts';
import { teiPredict } from './tei/predict.ts';
import { teiSimilarity } from './tei/similarity.ts';
import { teiTokenize } from './tei/tokenize.ts';

/** Every route of the API, one line each, in the order of the OpenAPI document. */
export const ROUTES: readonly RouteFactory[] = [
  embeddings,
  embeddingsImage,
  embeddingsAudio,
  rerankByForm,
  cohereRerankV1,
  cohereRerankV2,
  cohereEmbedV1,
  cohereEmbedV2,
  classify,
  teiEmbed,
  teiEmbedAll,
  teiEmbedSparse,
  teiPredict,
  teiSimilarity,
  teiTokenize,
  teiDecode,
  teiInfo,
  models,
  model,
  health,
  ready,
  metrics,
];
