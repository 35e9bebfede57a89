import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFile } from './project-file.ts';

const text = readFileSync(projectFile('deploy/docker/Dockerfile'), 'utf8');
/** Instructions with their continuation lines joined, without comments. */
const instructions = text
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');

/** What is copied from the project itself. */
const sources = instructions
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(/\s+/).slice(1, -1))
  .filter((word) => !word.startsWith('--'));

const allowed = readFileSync(projectFile('deploy/docker/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

test('everything that the image copies is in the project and let through to the builder', () => {
  expect(sources.length).toBeGreaterThan(5);
  for (const source of sources) {
    const name = source.replace(/\/$/, '');
    expect(existsSync(projectFile(name)), name).toBe(true);
    expect(
      allowed.some((entry) => name === entry || name.startsWith(`${entry}/`)),
      name,
    ).toBe(true);
  }
});

test('nothing is let through that the image does not copy', () => {
  for (const entry of allowed) {
    expect(
      sources.some((source) => source.replace(/\/$/, '') === entry || source.startsWith(`${entry}/`)),
      entry,
    ).toBe(true);
  }
});

test('the entry and the health check are in exec form', () => {
  expect(instructions.find((line) => line.startsWith('ENTRYPOINT'))).toBe('ENTRYPOINT ["infinity_emb"]');
  expect(instructions.find((line) => line.startsWith('HEALTHCHECK'))).toMatch(
    / CMD \["node", "\/app\/health-check.mjs"\]$/,
  );
});

test('the cache is where users of the original mount theirs, and any user may pass through to it', () => {
  expect(text).toContain('HF_HOME=/root/.cache/huggingface');
  expect(text).toContain('chmod 0755 /root /root/.cache "$HF_HOME"');
});

test('the CUDA libraries are of the versions that the installed onnxruntime-node has a provider for', () => {
  const script = projectFile('node_modules/onnxruntime-node/script/install-metadata.js');
  expect(readFileSync(script, 'utf8')).toContain("'linux/x64:cuda12'");
  expect(text).toMatch(/^ARG CUDA_IMAGE=nvidia\/cuda:12\.\d+\.\d+-cudnn-runtime-/m);
  expect(text).toContain('ONNXRUNTIME_NODE_INSTALL=cuda12');
});
