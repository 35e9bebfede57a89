import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder, ModelModule } from '../../contracts/model-folder.ts';
import { isModel2vec } from '../architectures/static-embedding.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { itemOutput } from './graph-output.ts';
import type { ConfigureHead } from './head.ts';
import { configureModules } from './modules/configure-modules.ts';
import { mean } from './pooling/mean.ts';
import { type ParsedPooling, parsePooling } from './pooling/parse-pooling.ts';

interface EmbeddingModules extends ParsedPooling {
  /** What is done to the vector. */
  readonly others: readonly ModelModule[];
}

function unsupported(folder: ModelFolder, actual: string, expected: string): ServiceError {
  return new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': modules.json ${actual}, expected ${expected}`,
  );
}

function model2vecModules(folder: ModelFolder): readonly ModelModule[] {
  const normalizes = isModel2vec(folder) && new ConfigFields(folder.config, 'config.json').flag('normalize', false);
  return normalizes ? [{ type: 'Normalize', path: '', config: undefined }] : [];
}

/**
 * Without modules.json: the mean over the tokens, not normalised, as sentence-transformers does then; model2vec's own config
 * says whether it normalises. A StaticEmbedding has the mean in itself.
 */
function readModules(folder: ModelFolder, hiddenSize: number): EmbeddingModules {
  if (folder.modules.length === 0) return { pooling: mean, width: hiddenSize, others: model2vecModules(folder) };
  const [transformer, pooling, ...others] = folder.modules;
  if (transformer?.type === 'StaticEmbedding') {
    return { pooling: mean, width: hiddenSize, others: folder.modules.slice(1) };
  }
  if (transformer?.type !== 'Transformer' || pooling?.type !== 'Pooling') {
    const types = folder.modules.map((module) => module.type).join(', ');
    throw unsupported(folder, `lists ${types}`, 'Transformer, Pooling and perhaps Dense and Normalize');
  }
  if (transformer.path !== '') {
    throw unsupported(folder, `puts the Transformer into '${transformer.path}'`, 'the model folder itself');
  }
  return { ...parsePooling(pooling, hiddenSize), others };
}

/** One vector per text: the modules after the Transformer in `modules.json`. */
export const pooledEmbedding: ConfigureHead = (folder, model) => {
  const { pooling, width, others } = readModules(folder, model.hiddenSize);
  const modules = configureModules(others, width);
  return {
    tasks: ['embed'],
    outputs: [itemOutput('embedding', modules.width)],
    wantedTokens: pooling.wantedTokens,
    apply: (g, root, _body, hidden) => [modules.apply(g, root, pooling.pool(g, hidden))],
  };
};
