import { onTestFinished } from 'vitest';
import { isAlive, processTree } from './process-tree.ts';
import { type ServerOptions, type ServerProcess, startServer } from './start-server.ts';

/** A server that is gone with all its processes when the test is over, however it ends. */
export function startForTest(options: ServerOptions = {}): ServerProcess {
  const server = startServer(options);
  onTestFinished(async () => {
    for (const pid of processTree(server.pid).reverse()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await server.exited;
  });
  return server;
}
