// Runs python_clients.py against real servers, in a virtual environment of its own, and writes the counts for
// scripts/print-test-summary.mjs. Skipped with a message where there is no Python or PyPI cannot be reached: `npm test`
// needs npm only. Usage: node test/clients/run.mjs (after npm run build)
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparePython, RESULTS } from '../../scripts/python-environment.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REQUIREMENTS = path.join(ROOT, 'test/clients/requirements.txt');
const KEY = 'a secret of the tests';
const READY = /^INFO: Application startup complete/m;
const URL_LINE = /^INFO: Started server process on (http:\S+)$/m;

function skip(reason) {
  console.log(`Python clients: skipped, ${reason}.`);
  process.exit(0);
}

/** The name of cl100k_base in tiktoken's cache: the SHA-1 of the address that it would download it from. */
const TIKTOKEN_FILE = '9b5ad71b2ce5302211f9c61530b329a4922fc6a4';

/** langchain-openai's default needs tiktoken's table. tiktoken checks its SHA-256, so this shows that ours is the same one. */
async function writeTiktokenCache() {
  const { default: table } = await import('js-tiktoken/ranks/cl100k_base');
  const lines = [];
  for (const group of table.bpe_ranks.split('\n')) {
    const [, first, ...tokens] = group.split(' ');
    for (const [index, token] of tokens.entries()) lines[Number(first) + index] = `${token} ${Number(first) + index}\n`;
  }
  const folder = path.join(RESULTS, 'tiktoken');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, TIKTOKEN_FILE), lines.join(''));
  return folder;
}

async function startServer(...args) {
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    INFINITY_HOME: path.join(RESULTS, 'home'),
    INFINITY_HOST: '127.0.0.1',
    INFINITY_PORT: '0',
  };
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/main.js'), ...args], { env: environment });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      if (READY.test(output)) resolve(URL_LINE.exec(output)?.[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`The server ended before it was ready:\n${output}`)));
  });
  return { child, url };
}

mkdirSync(RESULTS, { recursive: true });
const environment = preparePython('python-clients', REQUIREMENTS);
if ('problem' in environment) skip(environment.problem);
const tiktokenCache = await writeTiktokenCache();
const plain = await startServer();
const keyed = await startServer('--api-key', KEY, '--token-ids', 'cl100k_base');
const run = promisify(execFile)(
  path.join(environment.bin, 'python'),
  [path.join(ROOT, 'test/clients/python_clients.py')],
  {
    env: {
      ...process.env,
      PLAIN_URL: plain.url,
      KEY_URL: keyed.url,
      KEY,
      TIKTOKEN_CACHE_DIR: tiktokenCache,
      NO_PROXY: '127.0.0.1',
      // None of them may report anywhere.
      ANONYMIZED_TELEMETRY: 'false',
      HAYSTACK_TELEMETRY_ENABLED: 'False',
      HF_HUB_DISABLE_TELEMETRY: '1',
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 5 * 60_000,
  },
);
const { stdout, stderr } = await run.catch((error) => error);
for (const { child } of [plain, keyed]) child.kill('SIGTERM');
const last = stdout?.trim().split('\n').at(-1);
const counts = last?.startsWith('{') ? JSON.parse(last) : { passed: 0, failed: 1, skipped: 0 };
if (counts.failed > 0) console.error(stderr);
writeFileSync(path.join(RESULTS, 'python-clients.json'), JSON.stringify(counts));
console.log(`Python clients: ${counts.passed} passed, ${counts.failed} failed.`);
process.exitCode = counts.failed > 0 ? 1 : 0;
