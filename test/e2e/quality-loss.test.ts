import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { brittleModel } from './support/brittle-model.ts';
import { getJson, postJson } from './support/post-json.ts';
import { startServer } from './support/start-server.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'quality-loss-'));
const brittle = brittleModel(path.join(folder, 'brittle'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What must be met, and the figures that do not meet it. */
const REFUSAL =
  /expected cosine at least 0\.98, median 0\.99, scores within 0\.1; got cosine at least (-?\d\.\d{4}), median -?\d\.\d{4} of float32 over \d+ texts/;

describe('a model whose int8 graph fails the quality check', () => {
  it('is refused with --strict-dtype: exit code, limits and figures', async () => {
    const strict = startServer({ args: ['--model-id', brittle, '--dtype', 'int8', '--strict-dtype'] });
    expect((await strict.exited).code).toBe(3);
    const errors = strict.output().match(/^ERROR: .*$/gm);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toContain(`Model '${brittle}' cannot be served: the int8 graph fails the quality check`);
    expect(Number(REFUSAL.exec(errors?.[0] ?? '')?.[1])).toBeLessThan(0.98);
  });

  it('is served in int8 with --force-dtype, with a warning and the figures', async () => {
    const args = ['--model-id', brittle, '--served-model-name', 'forced', '--dtype', 'int8', '--force-dtype'];
    const forced = startServer({ args });
    const forcedUrl = await forced.ready();
    const { body } = await getJson(`${forcedUrl}/v1/models`);
    expect(body.data).toMatchObject([
      { id: 'forced', precision: 'int8', quality: { leastCosine: expect.any(Number) } },
    ]);
    expect(body.data[0].quality.leastCosine).toBeLessThan(0.98);
    expect(forced.output()).toMatch(/^WARNING: .*fails the quality check and is served nevertheless: cosine at least/m);
    const reply = await postJson(`${forcedUrl}/v1/embeddings`, { model: 'forced', input: 'a text' });
    expect(reply.status).toBe(200);
    expect(reply.body.data[0].embedding.every(Number.isFinite)).toBe(true);
    expect(await forced.stop()).toBe(0);
  });
});
