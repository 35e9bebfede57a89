import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postJson } from './support/post-json.ts';
import { PROJECT_ROOT, startServer } from './support/start-server.ts';

const IMAGE_FILES = path.join(PROJECT_ROOT, 'deploy/docker');
/** Of the volume that the image's entry gives root up for, where this process is root. */
const VOLUME_OWNER = 1000;
const user = process.getuid?.() === 0 ? VOLUME_OWNER : process.getuid?.();

let folder: string;
let names: readonly string[];
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'infinity-package-'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  names = packed.files.map((file: { path: string }) => file.path);
  writeFileSync(path.join(folder, 'package.json'), '{"name":"somebody","private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', path.join(folder, packed.filename)], {
    cwd: folder,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: 'ignore',
  });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the image does with the package: other platforms' binaries go, its entry comes beside dist/. */
function makeImage(): string {
  execFileSync(process.execPath, [path.join(IMAGE_FILES, 'keep-own-binaries.mjs'), path.join(folder, 'node_modules')], {
    stdio: 'ignore',
  });
  const entry = path.join(folder, 'node_modules/infinity-ts/infinity_emb');
  copyFileSync(path.join(IMAGE_FILES, 'infinity_emb'), entry);
  chmodSync(folder, 0o755);
  return entry;
}

/** A cache volume that nobody may write to, and a folder for temporary files that everybody may. */
function makeVolumes(): { readonly HF_HOME: string; readonly TMPDIR: string } {
  const volume = path.join(folder, 'volume');
  const temporary = path.join(folder, 'temporary');
  for (const made of [volume, temporary]) mkdirSync(made);
  if (user !== undefined) chownSync(volume, user, user);
  chmodSync(volume, 0o555);
  chmodSync(temporary, 0o777);
  return { HF_HOME: volume, TMPDIR: temporary };
}

describe('the packed tarball', () => {
  it('holds what runs and nothing that only tests need', () => {
    expect(names).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/lane-main.js', 'models/bundled.json', 'README.md', 'LICENSE']),
    );
    expect(names.filter((name) => /\.test\.|^src\/|^test\//.test(name))).toEqual([]);
  });

  it('holds the benchmark, which drives any server', async () => {
    const help = execFileSync(path.join(folder, 'node_modules/.bin/infinity'), ['bench', '--help'], {
      encoding: 'utf8',
    });
    expect(help).toContain('--concurrency LIST');
  });

  it('installs its command into an empty folder, as the README says', () => {
    const version = execFileSync(path.join(folder, 'node_modules/.bin/infinity_emb'), ['--version'], {
      encoding: 'utf8',
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.skipIf(process.platform === 'win32')(
    'serves both bundled models as the image does: by its entry, under the user of a cache volume that cannot be written',
    async () => {
      const entry = makeImage();
      const server = startServer({
        command: [entry, 'v2'],
        cwd: folder,
        environment: { ...makeVolumes(), INFINITY_HOME: '', HOME: '/root' },
      });
      const url = await server.ready();
      expect(server.output()).toContain('The cache folder cannot be written');
      if (process.platform === 'linux') expect(statSync(`/proc/${server.pid}`).uid).toBe(user);
      const embedded = await postJson(`${url}/v1/embeddings`, { model: 'BAAI/bge-small-en-v1.5', input: 'hello' });
      expect(embedded.body.data[0].embedding).toHaveLength(384);
      const reranked = await postJson(`${url}/v1/rerank`, {
        model: 'cross-encoder/ms-marco-MiniLM-L-12-v2',
        query: 'hello',
        documents: ['hello there', 'bread'],
      });
      expect(reranked.body.results[0].index).toBe(0);
      expect(await server.stop()).toBe(0);
    },
    120_000,
  );
});
