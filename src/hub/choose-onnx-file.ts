import path from 'node:path';
import type { Precision } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';

export interface OnnxFileWish {
  /** What was named: a path in the repository, or a file's name where only one has it. */
  readonly named: string | undefined;
  readonly precision: Precision;
  readonly cpuAbilities: readonly string[];
}

/** Endings of names that exporters give to files of less than full precision; what is left is taken for float32. */
const REDUCED = /quant|q?u?int8|int4|uint8|q4|q8|bnb4|fp16|float16|bf16|bfloat16|_o4/i;

/** In the order of their rank: what the field calls them, `model_fp16.onnx` and the like. */
const FORMS: Readonly<Record<Precision, readonly RegExp[]>> = {
  float32: [/^model\.onnx$/i],
  float16: [/^model_(?:fp16|float16)\.onnx$/i],
  bfloat16: [/^model_(?:bf16|bfloat16)\.onnx$/i],
  int8: [/^model_int8\.onnx$/i, /^model_quantized\.onnx$/i, /^model_uint8\.onnx$/i, /^model_q?u?int8.*\.onnx$/i],
};

/** Exporters name their int8 files after the instructions that they are for. */
const WITH_VNNI = [/_qint8_avx512_vnni\.onnx$/i, /_qint8_avx512\.onnx$/i];
const WITHOUT_VNNI = [/_quint8_avx2\.onnx$/i];
const ON_ARM = [/_qint8_arm64\.onnx$/i];

function int8Forms(cpuAbilities: readonly string[]): readonly RegExp[] {
  if (cpuAbilities.some((ability) => /vnni|amx_int8/.test(ability))) return [...WITH_VNNI, ...FORMS.int8];
  if (cpuAbilities.some((ability) => /asimd|i8mm/.test(ability))) return [...ON_ARM, ...FORMS.int8];
  return [...WITHOUT_VNNI, ...FORMS.int8];
}

/** What a choice needs to know of a repository. */
export type OnnxFolder = Pick<ModelFolder, 'id' | 'files'>;

export function onnxFilesOf({ files }: Pick<ModelFolder, 'files'>): readonly string[] {
  return files.filter((name) => name.endsWith('.onnx'));
}

const nameOf = (file: string) => path.posix.basename(file);

function list(files: readonly string[]): string {
  return files.slice(0, 8).join(', ') + (files.length > 8 ? ', ...' : '');
}

function named(folder: OnnxFolder, files: readonly string[], wish: string): string {
  const wanted = wish.replace(/^\.\//, '');
  const found = files.includes(wanted) ? [wanted] : files.filter((file) => nameOf(file) === wanted);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const actual = found.length > 1 ? `there are ${list(found)}` : `the folder has ${list(files)}`;
  throw new ServiceError(
    'invalid_settings',
    `model '${folder.id}': expected one ONNX file of the name '${wish.slice(0, 200)}', ${actual}`,
    { param: '--onnx-file' },
  );
}

/**
 * The ONNX file of a repository to serve: the named one, else the one of the precision that is asked for. A file of less
 * precision is never taken unasked. Throws `invalid_model_folder` or `invalid_settings` with what would help.
 */
export function chooseOnnxFile(folder: OnnxFolder, wish: OnnxFileWish): string {
  const files = onnxFilesOf(folder);
  if (files.length === 0) {
    throw new ServiceError(
      'invalid_model_folder',
      `model '${folder.id}' has no ONNX file; --engine torch compiles its checkpoint, and needs none`,
    );
  }
  if (wish.named !== undefined) return named(folder, files, wish.named);
  const forms = wish.precision === 'int8' ? int8Forms(wish.cpuAbilities) : FORMS[wish.precision];
  for (const form of forms) {
    // onnx/ is where exporters put them; a file at the top may be an older one.
    const found = files.filter((file) => form.test(nameOf(file)));
    const best = found.find((file) => file.startsWith('onnx/')) ?? found[0];
    if (best !== undefined) return best;
  }
  const [only, ...others] = files;
  if (wish.precision === 'float32' && only !== undefined && others.length === 0 && !REDUCED.test(nameOf(only)))
    return only;
  throw new ServiceError(
    'invalid_model_folder',
    `model '${folder.id}' has no ONNX file that is known to be ${wish.precision}; it has ${list(files)}: ` +
      'name one of them with --onnx-file',
  );
}
