import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { ConfigureHead } from './head.ts';
import { mean } from './pooling/mean.ts';
import { parsePooling } from './pooling/parse-pooling.ts';
import type { Pooling } from './pooling/pooling.ts';

interface EmbeddingModules {
  readonly pooling: Pooling;
  readonly normalize: boolean;
}

function unsupported(folder: ModelFolder, actual: string, expected: string): ServiceError {
  return new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': modules.json ${actual}, expected ${expected}`,
  );
}

/** Without modules.json: the mean over the tokens, not normalised, as sentence-transformers does then. */
function readModules(folder: ModelFolder, hiddenSize: number): EmbeddingModules {
  if (folder.modules.length === 0) return { pooling: mean, normalize: false };
  const [transformer, pooling, normalize, ...others] = folder.modules;
  if (
    transformer?.type !== 'Transformer' ||
    pooling?.type !== 'Pooling' ||
    (normalize !== undefined && normalize.type !== 'Normalize') ||
    others.length > 0
  ) {
    const types = folder.modules.map((module) => module.type).join(', ');
    throw unsupported(folder, `lists ${types}`, 'Transformer, Pooling and perhaps Normalize');
  }
  if (transformer.path !== '') {
    throw unsupported(folder, `puts the Transformer into '${transformer.path}'`, 'the model folder itself');
  }
  return { pooling: parsePooling(pooling, hiddenSize), normalize: normalize !== undefined };
}

/** Divides each vector by its length; the zero vector stays zero. */
function normalized(g: GraphBuilder, x: Value): Value {
  return g.node('LpNormalization', [x], { attributes: { axis: { int: -1 }, p: { int: 2 } } });
}

/** One vector per text: the modules after the Transformer in `modules.json`. */
export const pooledEmbedding: ConfigureHead = (folder, model) => {
  const { pooling, normalize } = readModules(folder, model.hiddenSize);
  return {
    outputName: 'embedding',
    outputWidth: model.hiddenSize,
    wantedTokens: pooling.wantedTokens,
    apply(g, _root, _body, hidden) {
      const pooled = pooling.pool(g, hidden);
      return normalize ? normalized(g, pooled) : pooled;
    },
  };
};
