// Runs python_clients.py against real servers, in a virtual environment of its own, and writes the counts for
// scripts/print-test-summary.mjs. Skipped with a message where there is no Python or PyPI cannot be reached: `npm test`
// needs npm only. Usage: node test/clients/run.mjs (after npm run build)
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RESULTS = path.join(ROOT, 'test-results');
const REQUIREMENTS = path.join(ROOT, 'test/clients/requirements.txt');
const KEY = 'a secret of the tests';
/** The packages are 550 MB; they take about a minute to install where they are near. */
const INSTALL_TIMEOUT_MS = 5 * 60_000;
const READY = /^INFO: Application startup complete/m;
const URL_LINE = /^INFO: Started server process on (http:\S+)$/m;

function skip(reason) {
  console.log(`Python clients: skipped, ${reason}.`);
  process.exit(0);
}

/** The interpreter of an environment with the pinned packages; made again when the pins change. */
function preparePython() {
  const key = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = path.join(RESULTS, `python-clients-${key}`);
  const python = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return python;
  if (spawnSync('python3', ['-m', 'venv', folder]).status !== 0)
    skip('there is no python3 that can make a virtual environment');
  console.log('Python clients: installing their packages ...');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '-r', REQUIREMENTS];
  const installed = spawnSync(python, pip, { timeout: INSTALL_TIMEOUT_MS, encoding: 'utf8' });
  if (installed.status !== 0) {
    skip(`their packages cannot be installed (is PyPI reachable?): ${installed.stderr.trim().split('\n').at(-1)}`);
  }
  writeFileSync(done, '');
  return python;
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
const python = preparePython();
const tiktokenCache = await writeTiktokenCache();
const plain = await startServer();
const keyed = await startServer('--api-key', KEY, '--token-ids', 'cl100k_base');
const run = promisify(execFile)(python, [path.join(ROOT, 'test/clients/python_clients.py')], {
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
});
const { stdout, stderr } = await run.catch((error) => error);
for (const { child } of [plain, keyed]) child.kill('SIGTERM');
const last = stdout?.trim().split('\n').at(-1);
const counts = last?.startsWith('{') ? JSON.parse(last) : { passed: 0, failed: 1, skipped: 0 };
if (counts.failed > 0) console.error(stderr);
writeFileSync(path.join(RESULTS, 'python-clients.json'), JSON.stringify(counts));
console.log(`Python clients: ${counts.passed} passed, ${counts.failed} failed.`);
process.exitCode = counts.failed > 0 ? 1 : 0;
