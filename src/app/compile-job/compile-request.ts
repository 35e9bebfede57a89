import type { CompileRequest } from '../../contracts/compile-job.ts';
import type { CompiledModel } from '../../contracts/compiled-model.ts';
import { openModelFolder } from '../../hub/open-model-folder.ts';
import { readPeakBytes } from '../../observability/metrics/read-process.ts';
import { filePrecision } from '../onnx-file-wish.ts';
import type { QuantizedModel } from './compile-quantized.ts';

async function compile(request: CompileRequest): Promise<QuantizedModel> {
  const { modelId, modelPath, onnxFile, pooling, dtype, task, outputFolder, contentKey } = request;
  const folder = await openModelFolder(modelId, modelPath);
  const options = { outputFolder, contentKey, task };
  if (onnxFile !== undefined) {
    const { compileOnnxFile } = await import('../../compiler/onnx-file/compile-onnx-file.ts');
    const { withPooling } = await import('../../compiler/onnx-file/with-pooling.ts');
    const source = withPooling(folder, pooling);
    return {
      compiled: await compileOnnxFile(source, onnxFile, { ...options, precision: filePrecision(dtype) }),
      tried: [],
    };
  }
  if (dtype === 'int8' || dtype === 'fastest') {
    const { compileQuantized } = await import('./compile-quantized.ts');
    return compileQuantized(folder, request);
  }
  const { compileModel } = await import('../../compiler/compile-model.ts');
  return { compiled: await compileModel(folder, { ...options, precision: dtype }), tried: [] };
}

/**
 * The whole work of a compile process: a model folder -> a graph in the precision that was asked for. What a request does not
 * need is not loaded.
 */
export async function compileRequest(request: CompileRequest): Promise<CompiledModel> {
  const from = performance.now();
  const { compiled, tried } = await compile(request);
  const milliseconds = performance.now() - from;
  const peakBytes = await readPeakBytes();
  return { ...compiled, compilation: { milliseconds, tried, ...(peakBytes === undefined ? {} : { peakBytes }) } };
}
