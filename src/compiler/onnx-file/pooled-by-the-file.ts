import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { TextModel } from '../architectures/architecture.ts';
import { itemOutput } from '../heads/graph-output.ts';
import type { Head } from '../heads/head.ts';
import { normalize } from '../heads/modules/normalize.ts';
import { pooledEmbedding } from '../heads/pooled-embedding.ts';
import type { FileOutput } from './file-output.ts';

/**
 * A file that pools by itself, with all the modules of the model. Its vectors have the width that the modules promise, and
 * are normalised where the last of them does that: once more does no harm.
 */
export function pooledByTheFile(folder: ModelFolder, model: TextModel, output: FileOutput, fileName: string): Head {
  const promised = pooledEmbedding(folder, model, new Map()).outputs[0]?.width;
  const width = folder.modules.length === 0 ? (output.width ?? promised) : promised;
  if (width === undefined || (output.width !== undefined && output.width !== width)) {
    throw new ServiceError(
      'unsupported_architecture',
      `${fileName}: output '${output.name}' is ${output.width} wide, the model's modules promise ${promised}`,
    );
  }
  const last = folder.modules.at(-1);
  const finish = last?.type === 'Normalize' ? normalize(last, width) : undefined;
  return {
    tasks: ['embed'],
    outputs: [itemOutput('embedding', width)],
    wantedTokens: 'all',
    apply: (g, root, _body, vector) => [finish?.apply(g, root, vector) ?? vector],
  };
}
