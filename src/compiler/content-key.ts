import { createHash } from 'node:crypto';
import { readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import type { OnQualityLoss } from '../contracts/compile-job.ts';
import type { Dtype, Task } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { type CheckpointLocation, locateCheckpoint, locateModuleWeights } from '../formats/locate-checkpoint.ts';
import { weightFileHeader } from '../formats/weight-file-header.ts';
import { weightsSample } from './weights-sample.ts';

/** Raised with every change to this room, or to the texts of `tuning`, that changes a graph or its numbers. */
export const COMPILER_VERSION = '6';

export interface ContentKeyOptions {
  readonly dtype: Dtype;
  readonly onQualityLoss: OnQualityLoss;
  readonly task: Task | 'auto';
  /** Version of ONNX Runtime. */
  readonly runtimeVersion: string;
  readonly cpuAbilities: readonly string[];
}

/** Files of the Hugging Face cache are links to blobs that are named after their content. */
const BLOB_LINK = /(?:^|[/\\])blobs[/\\]([0-9a-f]{40,64})$/;

/** What stands for a file's content, without reading it: the name of its blob, otherwise its time of change. */
async function contentMark(filePath: string): Promise<string> {
  const target = await readlink(filePath).catch(() => '');
  const blobName = BLOB_LINK.exec(target)?.[1];
  return blobName ?? `modified ${(await stat(filePath)).mtimeMs}`;
}

/** A file that a graph is made of, and what it says about itself. */
interface KeyFile {
  readonly fileName: string;
  readonly fileBytes: number;
  readonly header: Uint8Array;
}

async function hashOf(folder: ModelFolder, options: ContentKeyOptions, files: readonly KeyFile[]): Promise<string> {
  const hash = createHash('sha256');
  const { config, modules, tokenizerConfig, sentenceTransformersConfig } = folder;
  const typeIdFields = [tokenizerConfig?.model_input_names, tokenizerConfig?.tokenizer_class];
  const { runtimeVersion, dtype, onQualityLoss, task, cpuAbilities } = options;
  hash.update(JSON.stringify([COMPILER_VERSION, runtimeVersion, dtype, onQualityLoss, task, cpuAbilities]));
  hash.update(JSON.stringify([config, modules, typeIdFields, sentenceTransformersConfig?.activation_fn]));
  for (const { fileName, fileBytes, header } of files) {
    const filePath = path.join(folder.path, fileName);
    hash.update(JSON.stringify([fileName, fileBytes, header.length, await contentMark(filePath)]));
    hash.update(header);
    hash.update(await weightsSample(filePath, fileBytes));
  }
  return hash.digest('hex');
}

function keyFiles(folder: ModelFolder, { files }: CheckpointLocation): Promise<readonly KeyFile[]> {
  return Promise.all(
    files.map(async ({ fileName, format }) => {
      const { bytes: header, fileBytes } = await weightFileHeader(path.join(folder.path, fileName), fileName, format);
      return { fileName, fileBytes, header };
    }),
  );
}

/**
 * Names a compiled graph: hex sha256 of everything that decides what it holds. Weights are not read as a whole, so a start
 * costs milliseconds; they stand for themselves by header, size, blob name or time of change, and a sample. Throws
 * `invalid_model_folder` or `invalid_checkpoint` where the weights cannot be found or their header cannot be read.
 */
export async function contentKey(folder: ModelFolder, options: ContentKeyOptions): Promise<string> {
  return hashOf(folder, options, await keyFiles(folder, await locateCheckpoint(folder)));
}

/** The same of a graph that is made of a ready-made ONNX file, the files that hold its weights, and those of the modules. */
export async function onnxContentKey(
  folder: ModelFolder,
  onnxFiles: readonly string[],
  options: ContentKeyOptions,
): Promise<string> {
  const own = await Promise.all(
    onnxFiles.map(async (fileName) => {
      const { size: fileBytes } = await stat(path.join(folder.path, fileName));
      return { fileName, fileBytes, header: Buffer.from('onnx') };
    }),
  );
  return hashOf(folder, options, [...own, ...(await keyFiles(folder, locateModuleWeights(folder)))]);
}
