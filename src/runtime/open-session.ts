import path from 'node:path';
import type { InferenceSession as OrtSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { ServiceError } from '../contracts/errors.ts';
import type { InferenceSession, SessionOptions, Tensor } from '../contracts/inference-session.ts';
import { sessionSettings } from './session-settings.ts';

type OrtModule = typeof import('onnxruntime-node');

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toOrtTensor(ort: OrtModule, { data, dims }: Tensor): OrtTensor {
  return data instanceof Int32Array ? new ort.Tensor('int32', data, dims) : new ort.Tensor('float32', data, dims);
}

function fromOrtTensor(name: string, { data, dims, type }: OrtTensor): Tensor {
  if (data instanceof Float32Array || data instanceof Int32Array) return { name, dims, data };
  throw new ServiceError('run_failed', `output '${name}' has type ${type}, expected float32 or int32`);
}

async function run(ort: OrtModule, session: OrtSession, inputs: readonly Tensor[]): Promise<readonly Tensor[]> {
  const feeds = Object.fromEntries(inputs.map((input) => [input.name, toOrtTensor(ort, input)]));
  const results = await session.run(feeds);
  return Object.entries(results).map(([name, result]) => fromOrtTensor(name, result));
}

/**
 * Opens a graph with ONNX Runtime, which is loaded by the first call and by nothing else. Opening and running block the
 * calling thread. Rejects with `model_failed` when the graph cannot be opened; `run` rejects with `run_failed`.
 */
export async function openSession(graphPath: string, options: SessionOptions): Promise<InferenceSession> {
  const ort = await import('onnxruntime-node');
  let session: OrtSession;
  try {
    session = await ort.InferenceSession.create(graphPath, sessionSettings(options));
  } catch (error) {
    const reason = reasonOf(error).replaceAll(path.dirname(graphPath) + path.sep, '');
    throw new ServiceError('model_failed', `the graph could not be opened: ${reason}`, { cause: error });
  }
  return {
    run: async (inputs) => {
      try {
        return await run(ort, session, inputs);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('run_failed', `the run failed: ${reasonOf(error)}`, { cause: error });
      }
    },
    dispose: () => session.release(),
  };
}
