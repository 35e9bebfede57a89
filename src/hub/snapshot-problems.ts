import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject } from '../contracts/json.ts';
import { checkpointFiles } from './checkpoint-files.ts';
import { chooseOnnxFile, type OnnxFileWish } from './choose-onnx-file.ts';
import { isLfsPointerFile } from './lfs-pointer.ts';
import { listFiles } from './list-files.ts';
import { readJsonObject } from './read-json-file.ts';
import { readModules } from './read-modules.ts';

/** Safetensors headers of the largest models are a few MB; a length beyond this is no length. */
const MAX_HEADER_BYTES = 100_000_000;
/** The end record of a zip file, with the longest comment that may follow it. */
const ZIP_END = 'PK\u0005\u0006';
const MAX_ZIP_END_BYTES = 22 + 65_535;

const TOKENIZER_FORMS = [['tokenizer.json'], ['vocab.txt'], ['vocab.json', 'merges.txt']] as const;

/**
 * What a folder lacks to serve a checkpoint, and which of its files are cut off: one short text each, empty when it is
 * whole. Reads ends and headers only, so that a start costs milliseconds; `infinity download` compares the content itself.
 */
export async function snapshotProblems(root: string, id: string, onnxFile?: OnnxFileWish): Promise<string[]> {
  try {
    return await findProblems(root, id, onnxFile);
  } catch (error) {
    if (error instanceof ServiceError) return [error.message];
    throw error;
  }
}

async function findProblems(root: string, id: string, onnxFile?: OnnxFileWish): Promise<string[]> {
  const names = await listFiles(root);
  const files = new Set(names);
  const modules = await readModules(root, names);
  const problems: string[] = [];
  const isStatic = modules[0]?.type === 'StaticEmbedding';
  if (!files.has('config.json') && !isStatic) problems.push('config.json is missing');
  for (const { type, path: modulePath, config } of modules) {
    if (modulePath === '' || type === 'Normalize') continue;
    if (config === undefined && !isStatic) problems.push(`${modulePath}/config.json is missing`);
    if (type === 'Dense' || type === 'StaticEmbedding')
      problems.push(...(await missingWeights(root, files, `${modulePath}/`)));
  }
  if (!isStatic) {
    if (onnxFile === undefined) problems.push(...(await missingWeights(root, files, '')));
    else chooseOnnxFile({ id, files: [...files] }, onnxFile);
    if (!hasTokenizer(files)) problems.push('tokenizer.json is missing');
  }
  for (const name of checkpointFiles(
    [...files],
    modules.map((module) => module.path),
  )) {
    if (await isCutOff(path.join(root, name), name)) problems.push(`${name} is cut off`);
  }
  return problems;
}

function hasTokenizer(files: ReadonlySet<string>): boolean {
  return (
    TOKENIZER_FORMS.some((form) => form.every((name) => files.has(name))) ||
    [...files].some((name) => /^[^/]+\.model$/.test(name))
  );
}

async function missingWeights(root: string, files: ReadonlySet<string>, folder: string): Promise<string[]> {
  for (const single of ['model.safetensors', 'pytorch_model.bin']) {
    if (files.has(folder + single)) return [];
    const indexName = `${folder}${single}.index.json`;
    const index = files.has(indexName) ? await readJsonObject(path.join(root, indexName)) : undefined;
    if (index === undefined) continue;
    const shards = isJsonObject(index.weight_map)
      ? new Set(Object.values(index.weight_map).map(String))
      : new Set<string>();
    return [...shards].filter((shard) => !files.has(folder + shard)).map((shard) => `${folder}${shard} is missing`);
  }
  return [`${folder}model.safetensors is missing`];
}

async function isCutOff(filePath: string, name: string): Promise<boolean> {
  if (name.endsWith('.json')) return !/[\]}]\s*$/.test(await readEnd(filePath, 64));
  if (await isLfsPointerFile(filePath)) return false;
  if (name.endsWith('.safetensors')) return (await stat(filePath)).size !== (await safetensorsBytes(filePath));
  return /\.(?:bin|pt)$/.test(name) && (await isCutZip(filePath));
}

/** An archive of torch.save; what is none is left to whoever reads it. */
async function isCutZip(filePath: string): Promise<boolean> {
  if (!(await readStart(filePath, 2)).startsWith('PK')) return false;
  return !(await readEnd(filePath, MAX_ZIP_END_BYTES)).includes(ZIP_END);
}

async function readStart(filePath: string, bytes: number): Promise<string> {
  const file = await open(filePath);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function readEnd(filePath: string, bytes: number): Promise<string> {
  const file = await open(filePath);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, bytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('latin1');
  } finally {
    await file.close();
  }
}

/** The size that a safetensors file's own header asks for, 0 when it makes no sense. */
async function safetensorsBytes(filePath: string): Promise<number> {
  const file = await open(filePath);
  try {
    const start = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (start.bytesRead < 8) return 0;
    const headerBytes = Number(start.buffer.readBigUInt64LE());
    if (headerBytes > Math.min(MAX_HEADER_BYTES, (await file.stat()).size)) return 0;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 8);
    if (bytesRead < headerBytes) return 0;
    const header: unknown = JSON.parse(buffer.toString('utf8'));
    let end = 0;
    for (const { data_offsets: offsets } of Object.values(
      header as Record<string, { data_offsets?: readonly number[] }>,
    )) {
      end = Math.max(end, offsets?.[1] ?? 0);
    }
    return 8 + headerBytes + end;
  } catch {
    return 0;
  } finally {
    await file.close();
  }
}
