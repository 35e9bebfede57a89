import type { CompileJob, CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import { encodeControlFrame, readCompiledModel } from './control-messages.ts';
import { readFailure } from './failure-message.ts';
import type { Frame } from './frame.ts';
import { type ProcessEnding, type StartInferenceProcess, startInferenceProcess } from './start-inference-process.ts';

/** A process has one job, so its one question needs no number of its own. */
const JOB_ID = 1;

export interface CompileJobOptions {
  /** Path of `dist/lane-main.js`. */
  readonly laneMain: string;
  readonly logger: Logger;
  /** For tests. */
  readonly startProcess?: StartInferenceProcess;
}

/**
 * Compiles each request in a process of its own. Rejects with what the compiler found wrong, with `compile_failed` when the
 * process died, with `shutting_down` when the signal ended it.
 */
export function createCompileJob(options: CompileJobOptions): CompileJob {
  return (request, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(stopped(request));
        return;
      }
      let outcome: CompiledModel | ServiceError | undefined;
      const startProcess = options.startProcess ?? startInferenceProcess;
      const child = startProcess({
        laneMain: options.laneMain,
        title: `infinity-compile ${request.modelId}`,
        onFrame(frame) {
          outcome = readOutcome(frame);
        },
        onEnded(ending) {
          signal?.removeEventListener('abort', kill);
          if (outcome === undefined) {
            reject(signal?.aborted ? stopped(request) : died(request, ending));
          } else if (outcome instanceof ServiceError) {
            logDetail(options.logger, request, outcome);
            reject(outcome);
          } else {
            // The graph was complete before it was announced: how the process left afterwards does not matter.
            resolve(outcome);
          }
        },
      });
      const kill = (): void => child.kill();
      signal?.addEventListener('abort', kill);
      child.send(encodeControlFrame('compile', JOB_ID, request));
      options.logger.debug('Compile process started.', { model: request.modelId, pid: child.pid });
    });
}

function readOutcome({ kind, payload }: Frame): CompiledModel | ServiceError {
  if (kind === 'compiled') return readCompiledModel(payload);
  if (kind === 'failed') return readFailure(payload);
  throw new ServiceError('internal_error', `A lane frame '${kind}' came from a compile process.`);
}

function stopped(request: CompileRequest): ServiceError {
  return new ServiceError('shutting_down', `Compiling '${request.modelId}' was stopped.`);
}

function died(request: CompileRequest, { reason }: ProcessEnding): ServiceError {
  const message = `Compiling '${request.modelId}' failed: its process ended before it was done (${reason}).`;
  return new ServiceError('compile_failed', message);
}

function logDetail(logger: Logger, request: CompileRequest, { message, cause }: ServiceError): void {
  if (cause instanceof Error) logger.error(message, { model: request.modelId, detail: cause.message });
}
