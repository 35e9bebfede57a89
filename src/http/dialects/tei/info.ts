import type { ModelStatus } from '../../../contracts/engine.ts';
import type { RouteFactory } from '../../route.ts';

/** Model and server, in TEI's words: of the first model, since the route names none; `/v1/models` lists all. */
export const teiInfo: RouteFactory = ({ engine, maxClientBatchSize, version }) => ({
  method: 'GET',
  paths: ['/info'],
  access: 'models',
  errorForm: () => 'tei',
  operationId: 'tei_info',
  summary: 'Describe the first model and the server',
  tag: 'tei',
  replies: {
    200: {
      type: 'object',
      required: [
        'model_id',
        'model_sha',
        'model_dtype',
        'served_model_name',
        'model_type',
        'max_input_length',
        'version',
      ],
      properties: {
        model_id: { type: 'string' },
        model_sha: { type: ['string', 'null'], description: 'Commit of its repository, where one is known.' },
        model_dtype: { type: ['string', 'null'] },
        served_model_name: { type: 'string' },
        model_type: { type: 'object' },
        max_concurrent_requests: { type: 'null', description: 'There is no limit on requests at a time.' },
        max_input_length: { type: ['integer', 'null'] },
        max_batch_requests: { type: 'integer' },
        max_client_batch_size: { type: 'integer' },
        auto_truncate: { const: true },
        version: { type: 'string' },
      },
      examples: [
        {
          model_id: 'BAAI/bge-small-en-v1.5',
          model_sha: null,
          model_dtype: 'float32',
          served_model_name: 'BAAI/bge-small-en-v1.5',
          model_type: { embedding: {} },
          max_concurrent_requests: null,
          max_input_length: 512,
          max_batch_requests: 32,
          max_client_batch_size: 2048,
          auto_truncate: true,
          version: '0.1.0',
        },
      ],
    },
  },
  errors: ['model_loading', 'model_failed'],

  handle(call) {
    const model = engine.requireCapability({ model: undefined, unnamed: 'first' }, undefined, call);
    return {
      body: JSON.stringify({
        model_id: model.modelId,
        model_sha: model.revision ?? null,
        model_dtype: model.details?.precision ?? null,
        served_model_name: model.servedName,
        model_type: modelType(model),
        max_concurrent_requests: null,
        max_input_length: model.details?.maxSequenceLength ?? null,
        max_batch_requests: model.batchSize,
        max_client_batch_size: maxClientBatchSize,
        auto_truncate: true,
        version,
      }),
    };
  },
});

/** `reranker`, `classifier` or `embedding`, by what the model was made for. */
function modelType({ capabilities, details }: ModelStatus): object {
  const labels = details?.labels ?? [];
  const names = {
    id2label: Object.fromEntries(labels.entries()),
    label2id: Object.fromEntries(labels.map((label, index) => [label, index])),
  };
  if (capabilities[0] === 'rerank') return { reranker: names };
  if (capabilities[0] === 'classify') return { classifier: names };
  return { embedding: capabilities[0] === 'sparse' ? { pooling: 'splade' } : {} };
}
