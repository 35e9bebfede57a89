// Lists the licence of every dependency, those of development too, from package-lock.json. Fails on one that is unknown or
// would bind whoever ships this package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** They ask for a notice at most. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** Of development alone: nothing of them is in what is shipped. By name, or by a name's beginning. */
const EXCEPTIONS = [
  // Weak copyleft, of its own files; vite, under vitest, brings it along.
  { name: 'lightningcss', license: 'MPL-2.0' },
  // Says nothing in its package.json; its repository, github.com/cohere-ai/cohere-typescript, is under MIT.
  { name: 'cohere-ai', license: undefined },
];

/** Whether every part of an SPDX expression of AND and OR can be accepted: one of the choices is enough. */
export function isAccepted(expression) {
  const text = expression.replaceAll(/[()]/g, '');
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((id) => ACCEPTED.has(id.trim())));
}

function isExcepted({ name, license, dev }) {
  return dev && EXCEPTIONS.some((each) => name.startsWith(each.name) && license === each.license);
}

/** @returns {{name: string, version: string, license: string | undefined, dev: boolean}[]} the packages of a lock file */
export function packagesOf(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { version, license, dev = false }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      license,
      dev,
    }));
}

/** @returns what cannot be accepted of packages */
export function refused(packages) {
  return packages.filter((each) => !isExcepted(each) && (each.license === undefined || !isAccepted(each.license)));
}

function print(packages) {
  const groups = new Map();
  for (const { name, version, license = 'unknown', dev } of packages) {
    const group = `${license}${dev ? ', development only' : ''}`;
    groups.set(group, [...(groups.get(group) ?? []), `${name}@${version}`]);
  }
  for (const [group, names] of [...groups].sort()) console.log(`${group} (${names.length}): ${names.join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = packagesOf(JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')));
  print(packages);
  const problems = refused(packages);
  for (const { name, version, license } of problems) {
    console.error(`${name}@${version}: expected a permissive licence, got ${license ?? 'none'}`);
  }
  if (problems.length > 0) process.exit(1);
}
