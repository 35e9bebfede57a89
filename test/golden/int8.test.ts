import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { writeGraph } from '../../src/compiler/graph/write-graph.ts';
import { openModel } from '../../src/compiler/open-model.ts';
import { linearProducts } from '../../src/compiler/quantization/linear-products.ts';
import { variantsFor } from '../../src/compiler/quantization/registry.ts';
import { withRangeOutputs } from '../../src/compiler/quantization/with-range-outputs.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { describeMachine } from '../../src/runtime/machine.ts';
import { openSession } from '../../src/runtime/open-session.ts';
import { packRun } from '../../src/scheduling/pack-run.ts';
import { collectRanges } from '../../src/tuning/collect-ranges.ts';
import { measureQuality } from '../../src/tuning/measure-quality.ts';
import { readOutputs } from '../../src/tuning/read-outputs.ts';
import type { RunText } from '../../src/tuning/run-text.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';

/**
 * What 8 bits may cost a tiny model of random weights: vectors, sparse weights and token vectors by cosine; scores of a
 * classifier or reranker by difference, of a language model that answers yes or no by more. Widths of 32 average out little
 * of the rounding; real models lose less (docs/decisions/precision.md).
 */
const LEAST_COSINE = 0.99;
const GREATEST_SCORE_DIFFERENCE = 0.06;
const GREATEST_ANSWER_DIFFERENCE = 0.15;

const NAMES = [
  'albert-embed',
  'bert-cls-norm',
  'bert-dense-tanh',
  'bert-lasttoken',
  'bert-max',
  'bert-mean',
  'bert-multilabel',
  'bert-reranker',
  'bert-splade',
  'bert-weightedmean',
  'bge-m3',
  'camembert-embed',
  'colbert-hf',
  'colbert-pylate',
  'deberta-classify',
  'deberta-reranker',
  'distilbert-classify',
  'distilbert-embed',
  'distilbert-splade',
  'electra-classify',
  'gemma2-embed',
  'gemma3-embed',
  'gte-embed',
  'gte-reranker',
  'jina-reranker-v2',
  'jina-v2',
  'jina-v2-code',
  'jina-v3',
  'llama-embed',
  'mistral-embed',
  'modernbert-cls',
  'modernbert-mean',
  'modernbert-reranker-cls',
  'modernbert-reranker-mean',
  'mpnet-embed',
  'nomic-embed',
  'nomic-moe',
  'qwen2-bidirectional',
  'qwen2-classify',
  'qwen2-embed',
  'qwen2-reranker',
  'qwen3-embed',
  'qwen3-reranker',
  'qwen3-seqcls-reranker',
  'qwen3-yarn',
  'roberta-classify',
  'roberta-embed',
  'roberta-regression',
  'st6-embed',
  'st6-reranker',
  't5-embed',
  'xlmr-embed',
  'xlmr-reranker',
];

async function withGraph<Result>(
  model: Awaited<ReturnType<typeof openModel>>,
  graph: typeof model.graph,
  use: (run: RunText) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'int8-'));
  const session = await openSession(await writeGraph(graph, 'golden', folder), { threads: 1 });
  try {
    return await use((encoding) => session.run(packRun([encoding], model.description.inputs)));
  } finally {
    await session.dispose();
    rmSync(folder, { recursive: true });
  }
}

const variants = variantsFor(describeMachine());

describe.each(NAMES)('%s in 8 bits', (name) => {
  test('stays near float32 in every variant that is right on this machine', async () => {
    const folder = fileURLToPath(new URL(`public/${name}/model`, import.meta.url));
    const model = await openModel(await openModelFolder(name, folder), 'auto');
    try {
      const encodings = readGolden(name).cases.flatMap(encodingsOf);
      const { outputs, pairPrompt } = model.description;
      const allowed = pairPrompt === undefined ? GREATEST_SCORE_DIFFERENCE : GREATEST_ANSWER_DIFFERENCE;
      const products = linearProducts(model.graph);
      expect(products.length).toBeGreaterThan(0);
      const { graph, ranges: rangeOutputs } = withRangeOutputs(model.graph);
      const { ranges, reference } = await withGraph(model, graph, async (run) => ({
        ranges: await collectRanges(run, encodings, rangeOutputs),
        reference: await readOutputs(run, encodings, outputs),
      }));
      const figures: string[] = [];
      for (const variant of variants) {
        const quantized = variant.quantize(model.graph, products, ranges);
        const actual = await withGraph(model, quantized, (run) => readOutputs(run, encodings, outputs));
        const { leastCosine = 1, greatestScoreDifference = 0 } = measureQuality(model.description, reference, actual);
        figures.push(`${variant.name} ${leastCosine.toFixed(4)} ${greatestScoreDifference.toFixed(4)}`);
        expect(leastCosine).toBeGreaterThanOrEqual(LEAST_COSINE);
        expect(greatestScoreDifference).toBeLessThanOrEqual(allowed);
      }
      console.log(`${name}: ${figures.join(', ')}`);
    } finally {
      await model.close();
    }
  });
});
