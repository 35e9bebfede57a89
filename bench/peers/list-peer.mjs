// A library in a process of its own, that embeds the same list of texts whenever it is asked (./serve_lists.py).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stopProcess } from '../servers/stop-process.mjs';

/**
 * @param {{ name: string, program: string, args: readonly string[], folder: string, texts: readonly string[] }} options
 */
export async function openListPeer({ name, program, args, folder, texts }) {
  const child = spawn(program, [...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A local folder is all it needs; some libraries ask the hub even so.
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    log = (log + chunk).slice(-2_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** @param {string} line */
  async function ask(line) {
    child.stdin.write(`${line}\n`);
    const { value } = await lines.next();
    if (value !== undefined) return JSON.parse(value);
    throw new Error(`${name} ended with code ${child.exitCode}:\n${log}`);
  }

  child.stdin.on('error', () => {});
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))]);
  await ask(JSON.stringify({ folder, texts }));
  return {
    name,
    /** @returns {Promise<{ seconds: number, first: readonly number[] }>} */
    async embed() {
      const { seconds, first, count } = await ask('');
      if (count !== texts.length) throw new Error(`${name}: expected ${texts.length} vectors, got ${count}`);
      return { seconds, first };
    },
    async stop() {
      child.stdin.end();
      await stopProcess(child);
    },
  };
}
