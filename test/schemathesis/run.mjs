// Lets schemathesis make requests of the OpenAPI document and hold the replies to it: no server error, no status, media type or
// body that is not documented. On tiny models of every capability, so that most of the time goes to requests. Half an hour or more.
// npm run test:schemathesis -- [examples a route, 2000] [pattern of routes]
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../bench/servers/own-server.mjs';
import { preparePython, RESULTS } from '../../scripts/python-environment.mjs';

const MODELS = ['bert-mean', 'bert-reranker', 'distilbert-classify', 'bert-splade', 'colbert-hf', 'bge-m3'];
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
const golden = fileURLToPath(new URL('../golden/public/', import.meta.url));

const [examples = '2000', routes] = process.argv.slice(2);
mkdirSync(RESULTS, { recursive: true });
const environment = preparePython('schemathesis', fileURLToPath(new URL('./requirements.txt', import.meta.url)));
if ('problem' in environment) {
  console.log(`schemathesis: skipped, ${environment.problem}.`);
  process.exit(0);
}
const server = await startServer(
  {},
  MODELS.flatMap((name) => ['--model-id', path.join(golden, name, 'model'), '--served-model-name', name]),
);
const ended = new Promise((resolve) => {
  const child = spawn(
    path.join(environment.bin, 'schemathesis'),
    [
      ...['run', `${server.url}/openapi.json`, '--checks', CHECKS, '--max-examples', examples, '--continue-on-failure'],
      ...['--suppress-health-check', 'all', '--warnings', 'off', '--generation-database', 'none', '--no-color'],
      ...(routes === undefined ? [] : ['--include-path-regex', routes]),
    ],
    { stdio: 'inherit', cwd: RESULTS, env: { ...process.env, SCHEMATHESIS_HOOKS: '', NO_PROXY: '127.0.0.1' } },
  );
  child.once('exit', resolve);
});
const code = await ended;
await server.stop();
process.exitCode = code === 0 ? 0 : 1;
