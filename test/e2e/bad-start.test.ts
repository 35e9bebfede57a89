import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getJson, postJson } from './support/post-json.ts';
import { startServer } from './support/start-server.ts';

const GOLDEN = fileURLToPath(new URL('../golden/public/bert-cls-norm/model', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'infinity-bad-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of a good model, with one thing spoilt. */
function spoiltModel(name: string, spoil: (model: string) => void): string {
  const model = path.join(folder, name);
  cpSync(GOLDEN, model, { recursive: true });
  spoil(model);
  return model;
}

function editJson(file: string, edit: (value: Record<string, unknown>) => void): void {
  const value = JSON.parse(readFileSync(file, 'utf8'));
  edit(value);
  writeFileSync(file, JSON.stringify(value));
}

/** Rewrites the header of a safetensors file; the data stays where it is. */
function editHeader(file: string, edit: (header: Record<string, { shape: number[] }>) => void): void {
  const bytes = readFileSync(file);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString('utf8'));
  edit(header);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(file, Buffer.concat([size, text, bytes.subarray(8 + length)]));
}

/** Keeps the header; all bits set are a float that is not a number. */
function fillWithNan(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 8 + Number(bytes.readBigUInt64LE(0))));
}

/** Starts, expects a failure, and checks its form: exit code, one ERROR line, no stack trace. */
async function expectFailure(
  args: string[],
  code: number,
  patterns: readonly RegExp[],
  environment = {},
): Promise<void> {
  const server = startServer({ args, environment });
  expect((await server.exited).code).toBe(code);
  const errors = server
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('INFO: ') && !line.startsWith('WARNING: '));
  expect(errors, server.output()).toHaveLength(1);
  for (const pattern of patterns) expect(errors[0]).toMatch(pattern);
}

type SpoiltModel = [name: string, makeModel: () => string, patterns: readonly RegExp[]];

describe('a start that cannot succeed', () => {
  it.each<SpoiltModel>([
    ['an unknown model id', () => 'nobody/nothing', [/nobody\/nothing/]],
    [
      'a folder without config.json',
      () => {
        const model = path.join(folder, 'no-config');
        mkdirSync(model);
        return model;
      },
      [/config\.json/],
    ],
    [
      'a config.json that is not JSON',
      () => spoiltModel('bad-config', (model) => writeFileSync(path.join(model, 'config.json'), '{"model_type": ')),
      [/config\.json/, /JSON/],
    ],
    [
      'a truncated safetensors file',
      () => spoiltModel('truncated', (model) => truncateSync(path.join(model, 'model.safetensors'), 100_000)),
      [/model\.safetensors/, /100000|100,000/],
    ],
    [
      'a safetensors file that is none',
      () => spoiltModel('corrupt', (model) => writeFileSync(path.join(model, 'model.safetensors'), 'x'.repeat(5000))),
      [/model\.safetensors/],
    ],
    [
      'no weights at all',
      () => spoiltModel('no-weights', (model) => rmSync(path.join(model, 'model.safetensors'))),
      [/safetensors/],
    ],
    [
      'a tensor of the wrong shape',
      () =>
        spoiltModel('wrong-shape', (model) =>
          editHeader(path.join(model, 'model.safetensors'), (header) => {
            for (const [name, tensor] of Object.entries(header)) {
              if (name.endsWith('layer.1.attention.self.query.weight')) tensor.shape = [16, 64];
            }
          }),
        ),
      [/layer\.1\.attention\.self\.query\.weight/, /32/, /16/, /64/],
    ],
    [
      'an unknown architecture',
      () =>
        spoiltModel('unknown', (model) =>
          editJson(path.join(model, 'config.json'), (config) => {
            config.model_type = 'mamba9';
          }),
        ),
      [/mamba9/, /bert/],
    ],
    [
      'a tokenizer.json that is missing',
      () => spoiltModel('no-tokenizer', (model) => rmSync(path.join(model, 'tokenizer.json'))),
      [/tokenizer\.json/],
    ],
    [
      'weights that make no numbers, as the first run finds before anybody asks',
      () => spoiltModel('not-numbers', (model) => fillWithNan(path.join(model, 'model.safetensors'))),
      [/not finite/],
    ],
  ])('%s: one line, no stack trace, exit code 3', async (_name, makeModel, patterns) => {
    await expectFailure(['--model-id', makeModel()], 3, patterns);
  });

  it.each([
    ['a port that is no number', ['--port', 'abc'], [/port/, /abc/]],
    ['a batch size of zero', ['--batch-size', '0'], [/batch-size/, /0/]],
    ['an option that does not exist', ['--prot', '7'], [/--prot/]],
    [
      'a list of the wrong length',
      ['--model-id', 'a', '--model-id', 'b', '--model-id', 'c', '--batch-size', '1', '--batch-size', '2'],
      [/batch-size/],
    ],
    ['a dtype that there is not', ['--dtype', 'float8'], [/dtype/, /float8/, /float32/]],
  ])('%s: one line, exit code 2', async (_name, args, patterns) => {
    await expectFailure(args, 2, patterns);
  });

  it('a port in use: names it and exits with 1', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expectFailure(['--port', String(port)], 1, [new RegExp(String(port))]);
    blocker.close();
  });
});

describe('a model that fails to load while another serves', () => {
  it('does not end the server: its routes answer 503 and /ready names it', async () => {
    const broken = spoiltModel('broken', (model) => truncateSync(path.join(model, 'model.safetensors'), 90_000));
    const server = startServer({
      args: [
        '--model-id',
        GOLDEN,
        '--served-model-name',
        'good',
        '--model-id',
        broken,
        '--served-model-name',
        'broken',
      ],
    });
    const url = await server.ready();
    const ready = await getJson(`${url}/ready`);
    expect(ready.status).toBe(200);
    expect(JSON.stringify(ready.body)).toMatch(/broken.*model\.safetensors/);
    expect((await postJson(`${url}/v1/embeddings`, { model: 'good', input: 'x' })).status).toBe(200);
    const refused = await postJson(`${url}/v1/embeddings`, { model: 'broken', input: 'x' });
    expect(refused.status).toBe(503);
    expect(refused.body.error.code).toBe('model_failed');
    expect(refused.body.error.message).toContain('model.safetensors');
    expect(await server.stop()).toBe(0);
  });
});
