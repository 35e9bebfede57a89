import { guardInferenceProcess } from '../lanes/guard-inference-process.ts';
import { parseLaunchArguments } from '../lanes/launch-arguments.ts';
import { serveChannel } from '../lanes/serve-channel.ts';

/**
 * A working inference process on the channel at this descriptor. What a job needs is loaded when it asks: a lane never
 * carries the compiler, and only the check of a quantised graph needs ONNX Runtime.
 */
export function runInferenceProcess(channelDescriptor: number, argv: readonly string[]): void {
  guardInferenceProcess(parseLaunchArguments(argv));
  serveChannel(channelDescriptor, {
    async openSession(graphPath, options) {
      const { openSession } = await import('../runtime/open-session.ts');
      return openSession(graphPath, options);
    },
    async compile(request) {
      const { compileRequest } = await import('./compile-job/compile-request.ts');
      return compileRequest(request);
    },
  });
}
