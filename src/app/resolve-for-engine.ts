import { HubError } from '../hub/hub-failure.ts';
import { type ResolvedModel, type ResolveOptions, resolveModel } from '../hub/resolve-model.ts';
import type { Machine } from '../runtime/machine.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';
import { onnxFileWish } from './onnx-file-wish.ts';

type EngineSettings = Pick<ModelSettings, 'modelId' | 'revision' | 'engine' | 'dtype' | 'onnxFile'>;
type EngineContext = Omit<ResolveOptions, 'revision' | 'onnxFile'> & { readonly machine: Machine };

/** A model with its ready-made ONNX file. Rejects as `resolveModel` does. */
export function resolveOnnxFile(settings: EngineSettings, context: EngineContext): Promise<ResolvedModel> {
  const { modelId, revision } = settings;
  return resolveModel(modelId, { ...context, revision, onnxFile: onnxFileWish(settings, context.machine) });
}

/**
 * A model with the files that its engine serves: the checkpoint, or the ONNX file; `auto` takes the file where there is no
 * checkpoint. Rejects as `resolveModel` does.
 */
export async function resolveForEngine(settings: EngineSettings, context: EngineContext): Promise<ResolvedModel> {
  const { modelId, revision, engine } = settings;
  if (engine === 'optimum') return resolveOnnxFile(settings, context);
  try {
    return await resolveModel(modelId, { ...context, revision });
  } catch (error) {
    const isCut = error instanceof HubError && !context.hub.offline;
    if (engine !== 'auto' || isCut) throw error;
    // Where the file cannot be had either, the checkpoint is what was missed first.
    return await resolveOnnxFile(settings, context).catch(() => {
      throw error;
    });
  }
}
