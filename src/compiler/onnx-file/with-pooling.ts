import type { PoolingMethod } from '../../contracts/compile-job.ts';
import type { ModelFolder, ModelModule } from '../../contracts/model-folder.ts';

const TRANSFORMER: ModelModule = { type: 'Transformer', path: '', config: undefined };

/** The folder as if its Pooling module said so; whatever follows that module stays. */
export function withPooling(folder: ModelFolder, pooling: PoolingMethod): ModelFolder {
  if (pooling === 'auto') return folder;
  const [transformer = TRANSFORMER, declared, ...others] = folder.modules;
  const config = { ...declared?.config, pooling_mode: pooling };
  return { ...folder, modules: [transformer, { type: 'Pooling', path: '1_Pooling', ...declared, config }, ...others] };
}
