import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { openChannel } from './channel.ts';
import type { Frame } from './frame.ts';
import { inferenceEnvironment } from './inference-environment.ts';
import { formatLaunchArguments } from './launch-arguments.ts';

/** How long a process may take to exit once its channel is closed: it has nothing left to do but free memory. */
const EXIT_GRACE_MS = 2000;
/** A process that waits for a device or a network disk may outlive SIGKILL; nobody waits for it longer than this. */
const KILL_GRACE_MS = 5000;
const CHANNEL_DESCRIPTOR = 3;
const STDERR = 2;

export interface InferenceProcessOptions {
  /** Path of `dist/lane-main.js`. */
  readonly laneMain: string;
  /** What `ps` shows. */
  readonly title: string;
  /** An exception from here ends the process: it said something senseless. */
  onFrame(frame: Frame): void;
  /**
   * Called once, when the process is gone and all that it sent has been read, never before `startInferenceProcess` returns;
   * also when it has been killed and does not go.
   */
  onEnded(ending: ProcessEnding): void;
}

export interface ProcessEnding {
  /** "signal SIGKILL", "exit code 3": for sentences, in brackets. */
  readonly reason: string;
}

export interface InferenceProcess {
  readonly pid: number | undefined;
  send(frame: Uint8Array): void;
  /** Lets it exit by itself; it is killed when it does not. */
  end(): void;
  kill(): void;
}

export type StartInferenceProcess = (options: InferenceProcessOptions) => InferenceProcess;

export function startInferenceProcess(options: InferenceProcessOptions): InferenceProcess {
  const { laneMain, title, onFrame, onEnded } = options;
  const launch = formatLaunchArguments({ parentPid: process.pid, title });
  // What native code prints must not mix with what the server writes to its stdout, so both streams go to stderr.
  const child = spawn(process.execPath, [laneMain, ...launch], {
    stdio: ['ignore', STDERR, STDERR, 'overlapped'],
    env: inferenceEnvironment(process.env),
    windowsHide: true,
  });
  let fault: Error | undefined;
  let ended = false;

  const finish = (reason: string): void => {
    if (ended) return;
    ended = true;
    onEnded({ reason: fault === undefined ? reason : `${reason}; ${fault.message}` });
  };
  const killIfAlive = (): void => {
    if (ended) return;
    child.kill('SIGKILL');
    setTimeout(() => finish('it was killed, and has not gone'), KILL_GRACE_MS).unref();
  };
  const killLater = (): void => {
    setTimeout(killIfAlive, EXIT_GRACE_MS).unref();
  };

  child.on('error', (error) => {
    // Also emitted when a signal cannot be sent; only without a process is it the end.
    if (child.pid === undefined) finish(`it could not be started: ${error.message}`);
  });
  child.on('close', (code, signal) => finish(describeExit(code, signal)));

  const socket = channelSocket(child);
  if (socket === undefined) return { pid: undefined, send() {}, end() {}, kill() {} };
  const channel = openChannel(socket, {
    onFrame,
    onClosed(found) {
      fault = found;
      // A sound process sees the end and exits; one that talks nonsense is not waited for.
      if (fault === undefined) killLater();
      else killIfAlive();
    },
  });
  return {
    pid: child.pid,
    send: channel.send,
    end() {
      channel.end();
      killLater();
    },
    kill: killIfAlive,
  };
}

/** `undefined` when the process could not be started; 'error' follows then. */
function channelSocket(child: ChildProcess): Socket | undefined {
  const stream = child.pid === undefined ? undefined : child.stdio[CHANNEL_DESCRIPTOR];
  return stream instanceof Socket ? stream : undefined;
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
