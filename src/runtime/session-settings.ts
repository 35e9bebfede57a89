import type { InferenceSession } from 'onnxruntime-node';
import type { SessionOptions } from '../contracts/inference-session.ts';

/** Fatal errors only: all others come back as rejections, and lines of its own on stderr belong to nobody. */
const LOG_FATAL_ONLY = 4;

/**
 * What a session is opened with. Each was measured on CPU with a model of 12 layers and 384 dimensions:
 * threads that spin answer a short run 20 % sooner, and stopping them at its end leaves an idle process idle;
 * a memory plan for each shape keeps 7 MB more after 60 shapes and makes no run faster;
 * packing the weights of products at open, the default, costs memory of its own (82 MB here) and halves a short run.
 */
export function sessionSettings(options: SessionOptions): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: LOG_FATAL_ONLY,
    extra: {
      session: {
        force_spinning_stop: '1',
        intra_op: { allow_spinning: '1' },
        ...(options.wideInt8 === true ? { x64quantprecision: '1' } : {}),
      },
    },
  };
}
