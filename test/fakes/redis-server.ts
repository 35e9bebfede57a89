import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const SERVERS = ['valkey-server', 'redis-server'];

/** The name of a real Redis or Valkey server on this machine; `undefined` where there is none. */
export function findRedisServer(): string | undefined {
  return SERVERS.find((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export interface RedisServer {
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** A server of its own that keeps nothing on disk; resolves when it takes connections. */
export async function startRedisServer(name: string, flags: readonly string[]): Promise<RedisServer> {
  const child = spawn(name, ['--bind', '127.0.0.1', '--save', '', '--daemonize', 'no', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} ended:\n${log}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (/ready to accept connections/i.test(log)) resolve();
    });
  });
  return {
    process: child,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
