// Starts the built server for a benchmark, and measures its process tree (Linux).
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Resolves once the server is ready. `startedMs` and `readyMs` count from the spawn. */
export async function startServer(environment = {}, flags = []) {
  const from = performance.now();
  const child = spawn(process.execPath, [MAIN, ...flags], {
    env: { ...process.env, INFINITY_HOST: '127.0.0.1', INFINITY_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let url;
  let startedMs;
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}:\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const started = /Started server process on (\S+)/.exec(text);
      if (started !== null && url === undefined) {
        url = started[1];
        startedMs = performance.now() - from;
      }
      if (text.includes('Application startup complete')) resolve(undefined);
    });
  });
  const readyMs = performance.now() - from;
  return {
    url,
    pid: child.pid,
    startedMs,
    readyMs,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function processTree(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
}

/** Sum of PSS over the process tree, in MB. */
export function treeMemoryMb(pid) {
  const kilobytes = processTree(pid).map((member) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${member}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
  );
  return (kilobytes.reduce((sum, value) => sum + value, 0) * 1024) / 1e6;
}
