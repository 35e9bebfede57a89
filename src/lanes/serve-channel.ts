import { Socket } from 'node:net';
import type { CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { InferenceSession, SessionOptions } from '../contracts/inference-session.ts';
import { type Channel, openChannel } from './channel.ts';
import { encodeControlFrame, readCompileRequest, readOpenRequest } from './control-messages.ts';
import { encodeFailure } from './failure-message.ts';
import type { Frame } from './frame.ts';
import { decodeTensors, encodeTensorFrame } from './tensor-frame.ts';

/** What the process can do; it does one of them in its life. */
export interface ChannelHandlers {
  openSession(graphPath: string, options: SessionOptions): Promise<InferenceSession>;
  compile(request: CompileRequest): Promise<CompiledModel>;
}

/**
 * The child's end of a channel: answers frames one after the other, in the order they came, and exits when the channel
 * closes. The first frame decides the job: `open` (then runs, for life) or `compile` (then the end). An exception in a run
 * is answered and the process lives on. `channel` is a descriptor or a socket.
 */
export function serveChannel(channel: number | Socket, handlers: ChannelHandlers): void {
  const socket = typeof channel === 'number' ? new Socket({ fd: channel, readable: true, writable: true }) : channel;
  let answered: Promise<unknown> = Promise.resolve();
  let session: InferenceSession | undefined;

  const answer = async ({ kind, id, payload }: Frame): Promise<void> => {
    if (kind === 'run' && session !== undefined) {
      outgoing.send(await answerRun(session, id, payload));
      // The next run may lie here already and would block this thread: a large answer must be on its way before.
      await outgoing.flushed();
    } else if (kind === 'open' && session === undefined) {
      session = await answerOpen(handlers, id, payload, outgoing);
    } else if (kind === 'compile' && session === undefined) {
      outgoing.send(await answerCompile(handlers, id, payload));
      outgoing.end();
    } else {
      const having = session === undefined ? 'without an open session' : 'with an open session';
      throw new ServiceError('internal_error', `A lane frame '${kind}' came to a process ${having}.`);
    }
  };

  const outgoing = openChannel(socket, {
    onFrame(frame) {
      answered = answered.then(() => answer(frame)).catch(exitOnFault);
    },
    onClosed(fault) {
      if (fault !== undefined) exitOnFault(fault);
      process.exit(0);
    },
  });
}

async function answerRun(session: InferenceSession, id: number, payload: Frame['payload']): Promise<Buffer> {
  const inputs = decodeTensors(payload);
  try {
    return encodeTensorFrame('ran', id, await session.run(inputs));
  } catch (error) {
    return encodeFailure(id, error, { code: 'run_failed', message: 'The run failed in the inference process.' });
  }
}

async function answerOpen(
  handlers: ChannelHandlers,
  id: number,
  payload: Frame['payload'],
  channel: Channel,
): Promise<InferenceSession | undefined> {
  const { graphPath, options } = readOpenRequest(payload);
  try {
    const session = await handlers.openSession(graphPath, options);
    channel.send(encodeControlFrame('opened', id, {}));
    return session;
  } catch (error) {
    channel.send(encodeFailure(id, error, { code: 'model_failed', message: 'The session could not be opened.' }));
    return undefined;
  }
}

async function answerCompile(handlers: ChannelHandlers, id: number, payload: Frame['payload']): Promise<Buffer> {
  const request = readCompileRequest(payload);
  try {
    return encodeControlFrame('compiled', id, await handlers.compile(request));
  } catch (error) {
    const message = `Compiling '${request.modelId}' failed in the inference process.`;
    return encodeFailure(id, error, { code: 'compile_failed', message });
  }
}

/** The other end is the same program: senseless frames mean damage, and the server starts a sound process. */
function exitOnFault(fault: unknown): never {
  process.stderr.write(`inference process: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exit(1);
}
