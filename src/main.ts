#!/usr/bin/env node
import { nodeVersionProblem } from './cli/node-version.ts';

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  // Imported late: an old Node.js would fail on what the rest imports before it could say why.
  const { runCli } = await import('./cli/run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
} else {
  process.stderr.write(problem);
  process.exitCode = 1;
}
