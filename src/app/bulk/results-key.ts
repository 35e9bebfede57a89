import type { ModelSettings } from '../../settings/serve-settings.ts';

/** Everything that chooses the graph of a model: rows that two graphs computed do not belong in one file. */
export function resultsKey(model: ModelSettings, bundledModels: boolean): string {
  const { modelId, revision, task, dtype, strictDtype, forceDtype, engine, onnxFile, poolingMethod } = model;
  return JSON.stringify({
    modelId,
    revision,
    task,
    dtype,
    strictDtype,
    forceDtype,
    engine,
    onnxFile,
    poolingMethod,
    bundledModels,
  });
}
