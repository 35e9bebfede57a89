// Removes the native binaries of other platforms from node_modules.
// Usage: node keep-own-binaries.mjs NODE_MODULES [PLATFORM [ARCHITECTURE]]    (names of Node.js or of Docker)
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const [root = 'node_modules', platform = process.platform, givenArchitecture = process.arch] = process.argv.slice(2);
const architecture = { amd64: 'x64' }[givenArchitecture] ?? givenArchitecture;

/** Removes every entry of `folder` but those that `keep` accepts; at least one stays. */
function prune(folder, keep) {
  const names = readdirSync(folder);
  if (!names.some(keep)) throw new Error(`${folder} has nothing for ${platform}-${architecture}: ${names.join(', ')}`);
  for (const name of names) if (!keep(name)) rmSync(path.join(folder, name), { recursive: true });
}

const runtime = path.join(root, 'onnxruntime-node/bin');
for (const abi of readdirSync(runtime)) {
  prune(path.join(runtime, abi), (name) => name === platform);
  prune(path.join(runtime, abi, platform), (name) => name === architecture);
}
// Those of musl are for images that ONNX Runtime has no binaries for.
const own = `tokenizers.${platform}-${architecture}${platform === 'linux' ? '-gnu' : ''}`;
prune(path.join(root, 'tokenizers'), (name) => !name.endsWith('.node') || name.startsWith(own));
if (!existsSync(path.join(root, 'tokenizers', `${own}.node`))) throw new Error(`There is no ${own}.node.`);
console.log(`Kept the native binaries of ${platform}-${architecture}.`);
