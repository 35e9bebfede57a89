import type { Dtype, Precision } from '../contracts/compiled-model.ts';
import type { OnnxFileWish } from '../hub/choose-onnx-file.ts';
import type { Machine } from '../runtime/machine.ts';
import type { ModelSettings } from '../settings/serve-settings.ts';

/** A ready-made file is what it is: there is nothing to choose the fastest from. */
export function filePrecision(dtype: Dtype): Precision {
  return dtype === 'fastest' ? 'float32' : dtype;
}

/** Which of a repository's ONNX files the settings ask for, on this machine. */
export function onnxFileWish(
  { onnxFile, dtype }: Pick<ModelSettings, 'onnxFile' | 'dtype'>,
  { cpuAbilities }: Pick<Machine, 'cpuAbilities'>,
): OnnxFileWish {
  return { named: onnxFile, precision: filePrecision(dtype), cpuAbilities };
}
