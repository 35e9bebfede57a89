// Fails on an import between rooms that the architecture does not allow, on an unknown room, and on a source file over
// the line limit. Tests may import what they test; only source files are held to the arrows.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LINE_LIMIT = 400;
const anyRoomBut = (...excluded) => ({ excluded });

/** room -> rooms it may import. */
export const ARROWS = {
  contracts: [],
  settings: ['contracts'],
  observability: ['contracts'],
  formats: ['contracts'],
  hub: ['contracts', 'observability'],
  tokenization: ['contracts'],
  compiler: ['contracts', 'formats'],
  runtime: ['contracts'],
  tuning: ['contracts'],
  lanes: ['contracts', 'observability'],
  scheduling: ['contracts'],
  cache: ['contracts'],
  media: ['contracts'],
  records: ['contracts'],
  engine: ['contracts', 'tokenization', 'scheduling', 'cache', 'media', 'observability'],
  http: ['contracts', 'observability'],
  app: anyRoomBut('cli'),
  cli: ['contracts', 'settings', 'app'],
  'main.ts': ['cli'],
  'lane-main.ts': ['app'],
  'index.ts': anyRoomBut('cli'),
};

/** They handle what clients send, of which nothing may name a file. */
const ROOMS_WITHOUT_FILES = new Set(['http', 'engine', 'scheduling']);
const FILE_MODULE = /(?:from|import)\s*\(?\s*['"](?:node:)?(?:fs|child_process)(?:\/promises)?['"]/;

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

function allows(room, target) {
  const rule = ARROWS[room];
  if (Array.isArray(rule)) return rule.includes(target);
  return target in ARROWS && !rule.excluded.includes(target);
}

/** @returns {string[]} one line for each violation; `files` maps a path under src/ to its text. */
export function checkRooms(files) {
  const problems = [];
  for (const [file, text] of files) {
    const room = file.split('/')[0];
    if (!(room in ARROWS)) {
      problems.push(`${file}: unknown room '${room}'`);
      continue;
    }
    const lines = text.split('\n').length - 1;
    if (lines > LINE_LIMIT) problems.push(`${file}: ${lines} lines, the limit is ${LINE_LIMIT}`);
    if (file.endsWith('.test.ts')) continue;
    if (ROOMS_WITHOUT_FILES.has(room) && FILE_MODULE.test(text)) {
      problems.push(`${file}: '${room}' must not reach the file system`);
    }
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const target = path.posix.join(path.posix.dirname(file), specifier).split('/')[0];
      if (target !== room && !allows(room, target)) problems.push(`${file}: '${room}' must not import '${target}'`);
    }
  }
  return problems;
}

function sourceFiles(root) {
  return readdirSync(root, { recursive: true })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkRooms(sourceFiles(fileURLToPath(new URL('../src', import.meta.url))));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
