// `prepare` runs on `npm ci` in a clone, where the compiler is installed, and also where only production dependencies
// are (`npm ci --omit=dev`), where dist/ must already be there or is not wanted.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
if (existsSync(compiler)) {
  const project = fileURLToPath(new URL('../tsconfig.build.json', import.meta.url));
  process.exit(spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' }).status ?? 1);
}
