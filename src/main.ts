#!/usr/bin/env node
import { nodeVersionProblem } from './cli/node-version.ts';

/** For output that a slow reader has not taken yet. */
const EXIT_GRACE_MS = 1000;

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  // Imported late: an old Node.js would fail on what the rest imports before it could say why.
  const { runCli } = await import('./cli/run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
  // The command is over: a handle that somebody forgot must not keep the process.
  setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
} else {
  process.stderr.write(problem);
  process.exitCode = 1;
}
