import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { projectFile } from './project-file.ts';

const ME = process.getuid?.();
const USER = 1000;

interface Started {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
  readonly args: readonly string[];
  readonly pid: number;
}

/** The image's folder /app with the real entry, and a server that says who it is. */
function makeImage(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  copyFileSync(projectFile('deploy/docker/infinity_emb'), path.join(folder, 'infinity_emb'));
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(
    path.join(folder, 'dist/main.js'),
    `console.log(JSON.stringify({ user: process.getuid(), group: process.getgid(), groups: process.getgroups(),
      args: process.argv.slice(2), pid: process.pid }));`,
  );
  return folder;
}

/** Starts the entry under this process's user, or another one; the shell's own process id comes first. */
function start(environment: Record<string, string>, args: readonly string[] = []): Started & { shellPid: number } {
  const entry = path.join(makeImage(), 'infinity_emb');
  const output = execFileSync('sh', ['-c', 'echo $$; exec "$0" "$@"', entry, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  });
  const [shellPid, ...reply] = output.split('\n');
  return { ...JSON.parse(reply.join('\n')), shellPid: Number(shellPid) };
}

function cacheOf(owners: Record<string, number>): string {
  const home = temporaryFolder();
  for (const [name, owner] of Object.entries(owners)) {
    mkdirSync(path.join(home, name), { recursive: true });
    chownSync(path.join(home, name), owner, owner);
  }
  return home;
}

test('Node.js takes the place of the shell, with the arguments as they were given', () => {
  const args = ['v2', '--model-id', 'a b;c', '', '$HOME'];
  const started = start({ HF_HOME: temporaryFolder() }, args);
  expect(started.pid).toBe(started.shellPid);
  expect(started.args).toEqual(args);
});

test.skipIf(ME === 0)('another user than root stays who it is', () => {
  expect(start({ HF_HOME: temporaryFolder() }).user).toBe(ME);
});

test.runIf(ME === 0).each<[string, Record<string, number>, number]>([
  ['a volume of a user', { '.': USER }, USER],
  ['a volume of root', { '.': 0 }, 0],
  ['a volume of a user, with models of that user', { '.': USER, hub: USER }, USER],
  ["a user's volume into which the original image wrote as root", { '.': USER, hub: 0 }, 0],
])('%s is served as its owner', (_case, owners, user) => {
  const started = start({ HF_HOME: cacheOf(owners) });
  expect(started).toMatchObject({ user, group: user });
  if (user !== 0) expect(started.groups).toEqual([user]);
});

test.runIf(ME === 0)('the folder that is not there yet belongs to whoever has the one above it', () => {
  expect(start({ HF_HOME: path.join(cacheOf({ '.': USER }), 'deep/below') }).user).toBe(USER);
});

test.runIf(ME === 0)('HF_HUB_CACHE says where models are kept, too', () => {
  expect(start({ HF_HOME: cacheOf({ '.': 0 }), HF_HUB_CACHE: cacheOf({ '.': USER }) }).user).toBe(USER);
});
