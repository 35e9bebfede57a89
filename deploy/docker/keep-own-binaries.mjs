// Removes the native binaries of other platforms from node_modules; prints what stays.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = process.argv[2] ?? 'node_modules';
const { platform, arch } = process;

/** Removes every entry of `folder` but those that `keep` accepts. */
function prune(folder, keep) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!keep(name)) rmSync(path.join(folder, name), { recursive: true });
}

const runtime = path.join(root, 'onnxruntime-node/bin');
for (const abi of existsSync(runtime) ? readdirSync(runtime) : []) {
  prune(path.join(runtime, abi), (name) => name === platform);
  prune(path.join(runtime, abi, platform), (name) => name === arch);
}
prune(
  path.join(root, 'tokenizers'),
  (name) => !name.endsWith('.node') || name.startsWith(`tokenizers.${platform}-${arch}`),
);
console.log(`Kept the native binaries of ${platform}-${arch}.`);
