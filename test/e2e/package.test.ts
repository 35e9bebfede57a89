import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postJson } from './support/post-json.ts';
import { PROJECT_ROOT, startServer } from './support/start-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'infinity-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed tarball', () => {
  it('installs into an empty folder, as the README says, and serves both bundled models from there', async () => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: PROJECT_ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    const names: string[] = packed.files.map((file: { path: string }) => file.path);
    expect(names).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/lane-main.js', 'models/bundled.json', 'README.md', 'LICENSE']),
    );
    expect(names.filter((name) => /\.test\.|^src\/|^test\//.test(name))).toEqual([]);

    writeFileSync(path.join(folder, 'package.json'), '{"name":"somebody","private":true}');
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', path.join(folder, packed.filename)],
      {
        cwd: folder,
        env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
        stdio: 'ignore',
      },
    );
    const server = startServer({ command: [path.join(folder, 'node_modules/.bin/infinity_emb'), 'v2'], cwd: folder });
    const url = await server.ready();
    const embedded = await postJson(`${url}/v1/embeddings`, { model: 'BAAI/bge-small-en-v1.5', input: 'hello' });
    expect(embedded.body.data[0].embedding).toHaveLength(384);
    const reranked = await postJson(`${url}/v1/rerank`, {
      model: 'cross-encoder/ms-marco-MiniLM-L-12-v2',
      query: 'hello',
      documents: ['hello there', 'bread'],
    });
    expect(reranked.body.results[0].index).toBe(0);
    expect(await server.stop()).toBe(0);
  }, 240_000);
});
