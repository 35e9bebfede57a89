import { expect, test } from 'vitest';
import { createEngine } from './create-engine.ts';
import { debugModel } from './debug-model.ts';
import { createModelSlot } from './model-slot.ts';

test('a vector is the number of characters, thirteen times, and usage counts them', async () => {
  const slot = createModelSlot({
    servedName: 'a',
    modelId: 'any/name',
    engine: 'debugengine',
    batchSize: 32,
    maxQueuedItems: 32_000,
    embeddingDtype: 'float32',
  });
  slot.setReady(debugModel());
  const engine = createEngine([slot]);
  const context = { signal: new AbortController().signal };
  const { dense, tokens } = await engine.embed({ model: 'a', texts: ['hello', '😀é', ''] }, context);
  expect(dense[0]?.vectors).toEqual([5, 2, 0].map((length) => new Float32Array(13).fill(length)));
  expect(tokens).toBe(5 + 2 + 1);
  await expect(
    engine.rerank({ model: 'a', query: 'q', documents: ['d'], rawScores: false }, context),
  ).rejects.toMatchObject({ code: 'capability_missing' });
  expect(engine.models()).toMatchObject([{ engine: 'debugengine', capabilities: ['embed'], queuedItems: 0 }]);
});
