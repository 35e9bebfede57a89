import path from 'node:path';
import { type ContentKeyOptions, contentKey, onnxContentKey } from '../compiler/content-key.ts';
import { withPooling } from '../compiler/onnx-file/with-pooling.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { externalFiles } from '../formats/onnx/external-files.ts';
import { isQuantized } from '../formats/onnx/onnx-file.ts';
import { readOnnxFile } from '../formats/onnx/read-onnx-file.ts';
import { chooseOnnxFile, onnxFilesOf } from '../hub/choose-onnx-file.ts';
import { isLfsPointerFile, lfsPointerError } from '../hub/lfs-pointer.ts';
import type { Machine } from '../runtime/machine.ts';
import { runtimeVersion } from '../runtime/runtime-version.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';
import { onQualityLossOf } from './on-quality-loss.ts';
import { onnxFileWish } from './onnx-file-wish.ts';

/** What a model's graph is made of. */
export interface ModelSource {
  readonly engine: 'torch' | 'optimum';
  readonly folder: ModelFolder;
  /** Relative to the model folder; only with `optimum`. */
  readonly onnxFile?: string;
  readonly contentKey: string;
}

type SourceSettings = Pick<
  ModelSettings,
  'engine' | 'dtype' | 'strictDtype' | 'forceDtype' | 'onnxFile' | 'poolingMethod' | 'task'
>;

export interface SourceContext {
  readonly machine: Machine;
  readonly logger: Logger;
  /** The same model with its ONNX file, where that was not fetched: it was not known to be needed. */
  readonly withOnnxFile: () => Promise<ModelFolder>;
}

/**
 * The checkpoint or a ready-made ONNX file, as `--engine` says; `auto` takes the file only where the checkpoint cannot be
 * compiled. Rejects with a `ServiceError` where neither can be served.
 */
export async function chooseSource(
  folder: ModelFolder,
  settings: SourceSettings,
  { machine, logger, withOnnxFile }: SourceContext,
): Promise<ModelSource> {
  const { cpuAbilities } = machine;
  const { dtype, task } = settings;
  const onQualityLoss = onQualityLossOf(settings);
  const keyOptions = { dtype, onQualityLoss, task, runtimeVersion: runtimeVersion(), cpuAbilities };
  const refusal = settings.engine === 'auto' ? await refusalOf(folder, task) : undefined;
  if (refusal !== undefined) {
    const served = onnxFilesOf(folder).length > 0 ? folder : await withOnnxFile().catch(() => folder);
    if (onnxFilesOf(served).length === 0) throw refusal;
    logger.warning(`The checkpoint of '${folder.id}' is not supported; its ONNX file is served.`, {
      reason: refusal.message,
    });
    return fromOnnxFile(served, settings, keyOptions, machine, logger);
  }
  if (settings.engine !== 'optimum') {
    return { engine: 'torch', folder, contentKey: await contentKey(folder, keyOptions) };
  }
  return fromOnnxFile(folder, settings, keyOptions, machine, logger);
}

async function fromOnnxFile(
  folder: ModelFolder,
  settings: SourceSettings,
  keyOptions: ContentKeyOptions,
  machine: Machine,
  logger: Logger,
): Promise<ModelSource> {
  const wish = onnxFileWish(settings, machine);
  const onnxFile = chooseOnnxFile(folder, wish);
  const filePath = path.join(folder.path, onnxFile);
  if (await isLfsPointerFile(filePath)) throw lfsPointerError(filePath);
  const file = readOnnxFile(filePath, onnxFile);
  if (isQuantized(file) && wish.named === undefined && wish.precision === 'float32') {
    throw new ServiceError(
      'invalid_model_folder',
      `model '${folder.id}': ${onnxFile} holds quantised weights, expected float32; --onnx-file ${onnxFile} serves it all the same`,
    );
  }
  const beside = externalFiles(folder, onnxFile, file);
  logger.info(`'${folder.id}' is served from ${onnxFile}.`, {
    quantized: isQuantized(file),
    weights: beside.length === 0 ? undefined : beside.join(', '),
  });
  const pooled = withPooling(folder, settings.poolingMethod);
  return {
    engine: 'optimum',
    folder,
    onnxFile,
    contentKey: await onnxContentKey(pooled, [onnxFile, ...beside], keyOptions),
  };
}

/** Why a checkpoint cannot be compiled; `undefined` where it can. The compiler is loaded only to say so. */
async function refusalOf(folder: ModelFolder, task: SourceSettings['task']): Promise<ServiceError | undefined> {
  const { checkCompilable } = await import('../compiler/open-model.ts');
  try {
    await checkCompilable(folder, task);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
