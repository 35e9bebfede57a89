import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { parseShardIndex } from './parse-shard-index.ts';

export type WeightFormat = 'safetensors' | 'torch';

export interface WeightFile {
  /** Relative to the model folder. */
  readonly fileName: string;
  readonly format: WeightFormat;
  /** Put before the names of its tensors: empty for the model's own, `2_Dense.` for those of a module. */
  readonly prefix: string;
}

export interface CheckpointLocation {
  /** In a fixed order. */
  readonly files: readonly WeightFile[];
  /** Tensor name -> file, where an index promises it. */
  readonly shardOf: ReadonlyMap<string, string> | undefined;
}

interface WeightForm {
  readonly format: WeightFormat;
  readonly single: string;
  readonly extension: string;
}

/** Where both are there, safetensors is read: it needs no trust. */
const FORMS: readonly WeightForm[] = [
  { format: 'safetensors', single: 'model.safetensors', extension: '.safetensors' },
  { format: 'torch', single: 'pytorch_model.bin', extension: '.bin' },
];

/** Linear layers of BGE-M3 that lie beside its checkpoint. */
const FILES_BESIDE = ['sparse_linear.pt', 'colbert_linear.pt'];

function describeWeights(folder: ModelFolder): string {
  const others = folder.files.filter((name) => /\.(bin|pt|pth|safetensors|h5|msgpack|onnx)$/.test(name));
  const hint = others.some((name) => name.endsWith('.onnx')) ? '; --engine optimum serves an ONNX file' : '';
  return others.length === 0 ? 'it holds no weight file' : `it holds ${others.slice(0, 5).join(', ')}${hint}`;
}

async function readShards(folder: ModelFolder, { format, single, extension }: WeightForm): Promise<CheckpointLocation> {
  const index = `${single}.index.json`;
  const shardOf = parseShardIndex(index, await readFile(path.join(folder.path, index), 'utf8'), extension);
  const fileNames = [...new Set(shardOf.values())].sort();
  const missing = fileNames.filter((name) => !folder.files.includes(name));
  if (missing.length > 0) {
    throw new ServiceError(
      'invalid_checkpoint',
      `model '${folder.id}': ${index} names ${fileNames.length} files, missing: ${missing.join(', ')}`,
    );
  }
  return { files: fileNames.map((fileName) => ({ fileName, format, prefix: '' })), shardOf };
}

/** The weights of the model folder itself, in one file or in shards. */
async function locateOwn(folder: ModelFolder): Promise<CheckpointLocation> {
  for (const form of FORMS) {
    const { format, single } = form;
    if (folder.files.includes(single)) {
      return { files: [{ fileName: single, format, prefix: '' }], shardOf: undefined };
    }
    if (folder.files.includes(`${single}.index.json`)) return readShards(folder, form);
  }
  const expected = FORMS.map(({ single }) => single).join(' or ');
  throw new ServiceError(
    'invalid_model_folder',
    `model '${folder.id}': expected ${expected} or an index of shards in its folder, ${describeWeights(folder)}`,
  );
}

/** The weights of its modules only: for a model whose own are in another file. */
export function locateModuleWeights(folder: ModelFolder): CheckpointLocation {
  return { files: locateModules(folder), shardOf: undefined };
}

/** The weights of the modules that have a folder of their own; many modules have none. */
function locateModules(folder: ModelFolder): readonly WeightFile[] {
  return folder.modules.flatMap(({ path: modulePath }) => {
    if (modulePath === '') return [];
    const files = FORMS.map(({ format, single }) => ({
      fileName: `${modulePath}/${single}`,
      format,
      prefix: `${modulePath}.`,
    }));
    return files.find(({ fileName }) => folder.files.includes(fileName)) ?? [];
  });
}

/**
 * Finds the files that hold a model's weights: its own, those of its modules, and those beside it. Throws
 * `invalid_model_folder` where there are none of its own, `invalid_checkpoint` where an index is wrong or a shard missing.
 */
export async function locateCheckpoint(folder: ModelFolder): Promise<CheckpointLocation> {
  const modules = locateModules(folder);
  const hasOwn = folder.modules.length === 0 || folder.modules.some((module) => module.path === '');
  const own = hasOwn || modules.length === 0 ? await locateOwn(folder) : { files: [], shardOf: undefined };
  const beside = FILES_BESIDE.filter((name) => folder.files.includes(name)).map((fileName) => ({
    fileName,
    format: 'torch' as const,
    prefix: `${path.basename(fileName, '.pt')}.`,
  }));
  return { files: [...own.files, ...modules, ...beside], shardOf: own.shardOf };
}
