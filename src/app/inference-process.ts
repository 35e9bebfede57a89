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
    async compile({ modelId, modelPath, precision, task, outputFolder, contentKey }) {
      const [{ openModelFolder }, { compileModel }] = await Promise.all([
        import('../hub/open-model-folder.ts'),
        import('../compiler/compile-model.ts'),
      ]);
      const folder = await openModelFolder(modelId, modelPath);
      return compileModel(folder, { outputFolder, contentKey, precision, task });
    },
  });
}
