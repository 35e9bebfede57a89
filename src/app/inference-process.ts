import { guardInferenceProcess } from '../lanes/guard-inference-process.ts';
import { parseLaunchArguments } from '../lanes/launch-arguments.ts';
import { serveChannel } from '../lanes/serve-channel.ts';

/**
 * A working inference process on the channel at this descriptor. What a job needs is loaded when it asks: a lane never
 * carries the compiler, and compiling needs no ONNX Runtime.
 */
export function runInferenceProcess(channelDescriptor: number, argv: readonly string[]): void {
  guardInferenceProcess(parseLaunchArguments(argv));
  serveChannel(channelDescriptor, {
    async openSession(graphPath, options) {
      const { openSession } = await import('../runtime/open-session.ts');
      return openSession(graphPath, options);
    },
    async compile({ modelId, modelPath, onnxFile, precision, task, outputFolder, contentKey }) {
      const { openModelFolder } = await import('../hub/open-model-folder.ts');
      const folder = await openModelFolder(modelId, modelPath);
      const options = { outputFolder, contentKey, precision, task };
      if (onnxFile !== undefined) {
        const { compileOnnxFile } = await import('../compiler/onnx-file/compile-onnx-file.ts');
        return compileOnnxFile(folder, onnxFile, options);
      }
      const { compileModel } = await import('../compiler/compile-model.ts');
      return compileModel(folder, options);
    },
  });
}
