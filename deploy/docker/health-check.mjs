// Ends with 0 where the server of this container is ready. Where it listens is in its settings, which are read as the server
// reads them: its arguments are those of process 1, its environment is the container's.
// Usage: node health-check.mjs [COMMAND_LINE_FILE]
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { runCli } from './dist/cli/run-cli.js';

const TIMEOUT_MS = 4000;
const ANY_ADDRESS = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const words = readFileSync(process.argv[2] ?? '/proc/1/cmdline', 'utf8')
  .split('\0')
  .slice(0, -1);
// Before its arguments are the interpreter and the program; with --init, another entry, too.
const program = words.findIndex((word) => /(^|\/)(main\.js|infinity(_emb)?)$/.test(word));

let settings;
await runCli(program === -1 ? [] : words.slice(program + 1), {
  environment: process.env,
  writeOut: () => undefined,
  writeError: () => undefined,
  startService: async (served) => {
    settings = served;
    return { done: Promise.resolve(0) };
  },
});

// Not a server: a command that this container runs once.
if (settings === undefined || settings.preloadOnly) process.exit(0);

const { host, port, unixSocket } = settings;
const address = unixSocket === undefined ? { host: ANY_ADDRESS[host] ?? host, port } : { socketPath: unixSocket };
request({ ...address, path: '/ready', timeout: TIMEOUT_MS }, (reply) => process.exit(reply.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
