import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { parseShardIndex } from './parse-shard-index.ts';

const SINGLE_FILE = 'model.safetensors';
const SHARD_INDEX = 'model.safetensors.index.json';

export interface CheckpointLocation {
  /** Names of the weight files, relative to the model folder, in a fixed order. */
  readonly fileNames: readonly string[];
  /** Tensor name -> file, where an index promises it. */
  readonly shardOf: ReadonlyMap<string, string> | undefined;
}

function describeOtherWeights(folder: ModelFolder): string {
  const others = folder.files.filter((name) => /\.(bin|pt|pth|safetensors|h5|msgpack|onnx)$/.test(name));
  return others.length === 0 ? 'it holds no weight file' : `it holds ${others.slice(0, 5).join(', ')}`;
}

/**
 * Finds the safetensors files of a model: `model.safetensors`, otherwise the shards of its index. Throws
 * `invalid_model_folder` where there is neither, `invalid_checkpoint` where the index is wrong or a shard is missing.
 */
export async function locateCheckpoint(folder: ModelFolder): Promise<CheckpointLocation> {
  if (folder.files.includes(SINGLE_FILE)) return { fileNames: [SINGLE_FILE], shardOf: undefined };
  if (!folder.files.includes(SHARD_INDEX)) {
    throw new ServiceError(
      'invalid_model_folder',
      `model '${folder.id}': expected ${SINGLE_FILE} or ${SHARD_INDEX} in its folder, ${describeOtherWeights(folder)}`,
    );
  }
  const shardOf = parseShardIndex(SHARD_INDEX, await readFile(path.join(folder.path, SHARD_INDEX), 'utf8'));
  const fileNames = [...new Set(shardOf.values())].sort();
  const missing = fileNames.filter((name) => !folder.files.includes(name));
  if (missing.length > 0) {
    throw new ServiceError(
      'invalid_checkpoint',
      `model '${folder.id}': ${SHARD_INDEX} names ${fileNames.length} files, missing: ${missing.join(', ')}`,
    );
  }
  return { fileNames, shardOf };
}
