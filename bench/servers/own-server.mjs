// Starts the built server for a benchmark.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stopProcess } from './stop-process.mjs';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/**
 * Resolves once the server is ready. `startedMs` and `readyMs` count from the spawn.
 *
 * @param {Readonly<Record<string, string>>} environment
 * @param {readonly string[]} flags
 */
export async function startServer(environment = {}, flags = []) {
  const from = performance.now();
  const child = spawn(process.execPath, [MAIN, ...flags], {
    // Bundled copies, whatever the network: a download is no part of what is measured.
    env: { ...process.env, HF_HUB_OFFLINE: '1', INFINITY_HOST: '127.0.0.1', INFINITY_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let url = '';
  let startedMs = 0;
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}:\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      if (url !== '' && text === '') return;
      text += chunk;
      const started = /Started server process on (\S+)/.exec(text)?.[1];
      if (started !== undefined && url === '') {
        url = started;
        startedMs = performance.now() - from;
      }
      if (text.includes('Application startup complete')) {
        // What follows is a line for each request: read, so that the pipe never fills, and dropped.
        text = '';
        resolve(undefined);
      }
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the server has no process id');
  const readyMs = performance.now() - from;
  return { url, pid, startedMs, readyMs, stop: () => stopProcess(child) };
}
