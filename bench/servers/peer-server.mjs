// The other server: one that runs already, or one that a command starts.
import { spawn } from 'node:child_process';
import { stopProcess } from './stop-process.mjs';

const LOOK_EVERY_MS = 20;
const READY_WITHIN_MS = 180_000;

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url)).status < 500;
  } catch {
    return false;
  }
}

/**
 * Resolves once the server at `url` answers. With a command it is started first, and `readyMs` counts from there.
 *
 * @param {{ url: string, command: string | undefined }} options
 */
export async function openPeer({ url, command }) {
  if (command === undefined) {
    if (!(await answers(`${url}/models`))) throw new Error(`${url}/models does not answer`);
    return { pid: undefined, readyMs: undefined, stop: async () => {} };
  }
  // Somebody else's server on the port would be measured in its place.
  if (await answers(`${url}/models`)) throw new Error(`${url} answers before --command was started`);
  const from = performance.now();
  // `exec`: the process that is stopped, and whose memory is read, is the server and not a shell.
  const child = spawn(`exec ${command}`, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    log = (log + chunk).slice(-2_000);
  });
  while (!(await answers(`${url}/models`))) {
    if (child.exitCode !== null) throw new Error(`--command ended with code ${child.exitCode}:\n${log}`);
    if (performance.now() - from > READY_WITHIN_MS) {
      await stopProcess(child);
      throw new Error(`${url}/models does not answer ${READY_WITHIN_MS / 1000} s after --command was started:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return { pid: child.pid, readyMs: performance.now() - from, stop: () => stopProcess(child) };
}
