import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MAIN = path.join(PROJECT_ROOT, 'dist/main.js');
/** Kept between runs, so that most tests start from compiled graphs. */
const SHARED_HOME = path.join(PROJECT_ROOT, 'test-results/home');

export const READY_LINE = 'INFO: Application startup complete. Ready for requests.';
const STARTED_LINE = /^INFO: Started server process on (http:\S+)$/m;

export interface ServerOptions {
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Command and leading arguments; `node dist/main.js` by default. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
  /** In a process group of its own, so that a signal can be sent to the whole group. */
  readonly detached?: boolean;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All that it has printed so far, both streams. */
  output(): string;
  /** Resolves with the match once the output holds it; rejects when the process ends or the time is over. */
  waitFor(pattern: string | RegExp, timeoutMs?: number): Promise<RegExpMatchArray>;
  /** Waits for the socket; returns the URL to use. */
  url(): Promise<string>;
  ready(): Promise<string>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a real server on a free port of the loopback interface. */
export function startServer(options: ServerOptions = {}): ServerProcess {
  const [executable, ...leading] = options.command ?? [process.execPath, MAIN];
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    INFINITY_HOME: SHARED_HOME,
    // Nothing is downloaded, and a model in the cache of whoever runs the tests is not met.
    HF_HOME: SHARED_HOME,
    HF_HUB_OFFLINE: '1',
    // Two test files run at once on two cores: threads that wait for one another would spin instead.
    INFINITY_LANES: '1',
    INFINITY_THREADS: '1',
    INFINITY_HOST: '127.0.0.1',
    INFINITY_PORT: '0',
    ...options.environment,
  };
  const child = spawn(executable, [...leading, ...(options.args ?? [])], {
    env: environment,
    cwd: options.cwd ?? PROJECT_ROOT,
    detached: options.detached ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      notify();
    });
  }
  let ended = false;
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // 'close' comes after the last output.
    child.once('close', (code, signal) => {
      ended = true;
      resolve({ code, signal });
      notify();
    });
  });

  function waitFor(pattern: string | RegExp, timeoutMs = 30_000): Promise<RegExpMatchArray> {
    const expression =
      typeof pattern === 'string' ? new RegExp(pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : pattern;
    return new Promise((resolve, reject) => {
      const finish = (act: () => void) => {
        clearTimeout(timer);
        listeners.delete(check);
        act();
      };
      const check = () => {
        const match = text.match(expression);
        if (match !== null) finish(() => resolve(match));
        else if (ended) finish(() => reject(new Error(`The server ended without printing ${expression}:\n${text}`)));
      };
      const timer = setTimeout(
        () => finish(() => reject(new Error(`No ${expression} within ${timeoutMs} ms:\n${text}`))),
        timeoutMs,
      );
      listeners.add(check);
      check();
    });
  }

  const url = async () => (await waitFor(STARTED_LINE))[1] ?? '';
  return {
    child,
    pid: child.pid ?? -1,
    output: () => text,
    waitFor,
    url,
    async ready() {
      await waitFor(READY_LINE);
      return await url();
    },
    exited,
    async stop() {
      if (!ended) child.kill('SIGTERM');
      return (await exited).code;
    },
  };
}
