import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportOnnx } from '../fakes/onnx-export.ts';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { getJson, postJson } from './support/post-json.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const CHECKPOINT = fileURLToPath(new URL('../golden/public/bert-mean/model', import.meta.url));

let root: string;
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'engines-'));
  const repository = path.join(root, 'repository');
  cpSync(CHECKPOINT, repository, { recursive: true });
  await exportOnnx(CHECKPOINT, path.join(repository, 'onnx/model.onnx'), { weightsFile: 'model.onnx_data' });
  const unknown = path.join(root, 'unknown');
  cpSync(repository, unknown, { recursive: true });
  rmSync(path.join(unknown, 'model.safetensors'));
  const models = [
    [repository, 'compiled', 'torch'],
    [repository, 'half', 'torch'],
    [repository, 'ready-made', 'optimum'],
    [unknown, 'fallen-back', 'auto'],
    ['no/such-model', 'debug', 'debugengine'],
  ] as const;
  const args = models.flatMap(([id, name, engine]) => [
    ...['--model-id', id, '--served-model-name', name, '--engine', engine],
    ...['--dtype', name === 'half' ? 'float16' : 'auto'],
  ]);
  server = startServer({ args, environment: { INFINITY_HOME: root } });
  url = await server.ready();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  rmSync(root, { recursive: true });
});

it('lists the engine that serves each model', async () => {
  const { body } = await getJson(`${url}/models`);
  const engines = body.data.map(({ id, backend }) => `${id}: ${backend}`);
  expect(engines).toEqual([
    'compiled: torch',
    'half: torch',
    'ready-made: optimum',
    'fallen-back: optimum',
    'debug: debugengine',
  ]);
  expect(server.output()).toContain('is served from onnx/model.onnx. quantized=false weights=onnx/model.onnx_data');
});

it('gives the same vectors by every way', async () => {
  const { cases } = JSON.parse(readFileSync(path.join(CHECKPOINT, '../expected.json'), 'utf8'));
  const [first] = cases;
  for (const [model, tolerance] of [
    ['compiled', 1e-5],
    ['half', 1e-3],
    ['ready-made', 1e-5],
    ['fallen-back', 1e-5],
  ] as const) {
    const { body } = await postJson(`${url}/embeddings`, { model, input: first.inputs.texts[0] });
    expect(maxAbsDifference(body.data[0].embedding, first.output.normalized[0])).toBeLessThan(tolerance);
  }
});

it('answers with the length of a text where a model is only a stand-in', async () => {
  const { body } = await postJson(`${url}/embeddings`, { model: 'debug', input: 'hello' });
  expect(body.data[0].embedding).toEqual(new Array(13).fill(5));
  expect(body.usage).toMatchObject({ prompt_tokens: 5, total_tokens: 5 });
});
