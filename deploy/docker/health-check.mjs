// Ends with 0 where the server of this container is ready. Where it listens is in its settings, which are read as the server
// reads them: its arguments are those of process 1, its environment is the container's.
// Usage: node health-check.mjs [COMMAND_LINE_FILE]
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
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

const { host, port, unixSocket, sslCertfile, sslCaCerts } = settings;
const address = unixSocket === undefined ? { host: ANY_ADDRESS[host] ?? host, port } : { socketPath: unixSocket };

if (sslCaCerts !== undefined) {
  // It has no certificate that the server would take: what it can tell is that somebody listens.
  connect({ ...address, path: unixSocket, timeout: TIMEOUT_MS })
    .on('connect', () => process.exit(0))
    .on('timeout', () => process.exit(1))
    .on('error', () => process.exit(1));
} else {
  ask(sslCertfile === undefined ? request : secureRequest);
}

/** The certificate is for clients of another name than the loopback address, and nothing secret is asked. */
function ask(send) {
  send({ ...address, rejectUnauthorized: false, path: '/ready', timeout: TIMEOUT_MS }, (reply) =>
    process.exit(reply.statusCode === 200 ? 0 : 1),
  )
    .on('timeout', () => process.exit(1))
    .on('error', () => process.exit(1))
    .end();
}
