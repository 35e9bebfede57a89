import { checkpointFiles, isWeightFile } from './checkpoint-files.ts';
import { chooseOnnxFile, type OnnxFileWish } from './choose-onnx-file.ts';

/**
 * The files that serving a repository's ONNX file needs: that one file of all variants, its weights where they lie beside it
 * (`model.onnx_data`, `model.onnx.data`, `model.data`, also numbered), tokenizer and configuration. Throws as
 * `chooseOnnxFile` where there is none that fits.
 */
export function onnxFiles(
  id: string,
  names: readonly string[],
  modulePaths: readonly string[],
  wish: OnnxFileWish,
): string[] {
  const graph = chooseOnnxFile({ id, files: names }, wish);
  const stem = graph.replace(/\.onnx$/, '');
  const isData = (name: string) => name.startsWith(stem) && /^(?:\.onnx)?[._]data/.test(name.slice(stem.length));
  const beside = checkpointFiles(names, modulePaths).filter((name) => !isWeightFile(name));
  return [...beside, graph, ...names.filter(isData)];
}
