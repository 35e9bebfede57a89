// Preloaded into a server (node --import): prints every file that its JavaScript opens, reads or looks at, by whatever library.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const NAMES = [
  'access',
  'lstat',
  'open',
  'opendir',
  'readFile',
  'readdir',
  'readlink',
  'realpath',
  'stat',
  'writeFile',
];

function report(owner, name) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = Object.assign(function reported(file, ...rest) {
    if (typeof file !== 'number') process.stdout.write(`FILE ${JSON.stringify(String(file))}\n`);
    return original.call(this, file, ...rest);
  }, original);
}

for (const name of NAMES) {
  report(fs, name);
  report(fs, `${name}Sync`);
  report(fs.promises, name);
}
for (const name of ['createReadStream', 'createWriteStream', 'existsSync']) report(fs, name);
syncBuiltinESMExports();
