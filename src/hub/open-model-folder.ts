import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { ModelFolder, ModelModule } from '../contracts/model-folder.ts';
import { errorCodeOf } from './error-code-of.ts';
import { isLfsPointerFile, lfsPointerError } from './lfs-pointer.ts';
import { listFiles } from './list-files.ts';
import { readJsonObject } from './read-json-file.ts';
import { readModules } from './read-modules.ts';

/** The large files that a start always needs: `model.safetensors`, its shards, a module's own, and the tokenizer. */
const NEEDED_FILE = /^(?:.*\/)?model(?:-\d+-of-\d+)?\.safetensors$|^(?:.*\/)?tokenizer\.json$/;

/**
 * Lists a model folder and parses its small files. Rejects with `invalid_model_folder` when it is not a readable folder
 * with a `config.json`, when one of the parsed files is malformed, or when a needed file is a Git LFS pointer. Only a table
 * of vectors (StaticEmbedding in `modules.json`) needs no `config.json`.
 */
export async function openModelFolder(id: string, folderPath: string): Promise<ModelFolder> {
  const root = path.resolve(folderPath);
  await expectFolder(root);
  const files = await listFiles(root);
  const modules = await readModules(root, files);
  const config = await readConfig(root, modules);
  await refuseLfsPointers(root, files);
  return {
    id,
    path: root,
    files,
    config,
    modules,
    sentenceBertConfig: await readJsonObject(path.join(root, 'sentence_bert_config.json')),
    sentenceTransformersConfig: await readJsonObject(path.join(root, 'config_sentence_transformers.json')),
    tokenizerConfig: await readJsonObject(path.join(root, 'tokenizer_config.json')),
  };
}

async function readConfig(root: string, modules: readonly ModelModule[]): Promise<JsonObject> {
  const config = await readJsonObject(path.join(root, 'config.json'));
  if (config !== undefined) return config;
  if (modules[0]?.type === 'StaticEmbedding') return {};
  throw new ServiceError(
    'invalid_model_folder',
    `'${root}': expected a model folder in Hugging Face format with a config.json, got a folder without one`,
  );
}

async function expectFolder(root: string): Promise<void> {
  let actual: string;
  try {
    if ((await stat(root)).isDirectory()) return;
    actual = 'a file';
  } catch (error) {
    const code = errorCodeOf(error);
    actual = code === 'ENOENT' ? 'nothing at that path' : code;
  }
  throw new ServiceError('invalid_model_folder', `'${root}': expected a model folder, got ${actual}`);
}

async function refuseLfsPointers(root: string, files: readonly string[]): Promise<void> {
  for (const name of files) {
    if (!NEEDED_FILE.test(name)) continue;
    const filePath = path.join(root, name);
    if (await holdsPointer(filePath)) throw lfsPointerError(filePath);
  }
}

async function holdsPointer(filePath: string): Promise<boolean> {
  try {
    return await isLfsPointerFile(filePath);
  } catch (error) {
    throw new ServiceError(
      'invalid_model_folder',
      `'${filePath}': expected a readable file, got ${errorCodeOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
