import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { compileGolden } from './compiled-golden.ts';
import { describeGolden } from './describe-golden.ts';
import { encodingsOf, readGolden } from './golden-cases.ts';
import { maxDifference } from './max-difference.ts';
import { testOneTokenAlone } from './traced-tokens.ts';

const POOLER = ['pooler.dense.bias', 'pooler.dense.weight'];
const V3_POOLER = [
  'roberta.pooler.dense.bias',
  ...['original', '0.lora_A', '0.lora_B'].map((part) => `roberta.pooler.dense.parametrizations.weight.${part}`),
];
/** Layers that have an adapter for each task, which are not applied where no task is named. */
const ADAPTED = [
  ...['word_embeddings', 'token_type_embeddings'].map((name) => `embeddings.${name}`),
  ...[0, 1].flatMap((layer) =>
    ['mixer.Wqkv', 'mixer.out_proj', 'mlp.fc1', 'mlp.fc2'].map((name) => `encoder.layers.${layer}.${name}`),
  ),
];
const ADAPTERS = ADAPTED.flatMap((name) =>
  ['lora_A', 'lora_B'].map((part) => `roberta.${name}.parametrizations.weight.0.${part}`),
);

describeGolden('jina-v2', { task: 'embed', unread: POOLER });
describeGolden('jina-v2-code', { task: 'embed', unread: POOLER });
describeGolden('jina-v2-original', { task: 'embed' });
describeGolden('jina-v2-reranker', { task: 'rerank' });
describeGolden('jina-v2-code-original', { task: 'embed' });
describeGolden('jina-v3', { task: 'embed', unread: [...ADAPTERS, ...V3_POOLER] });
describeGolden('jina-reranker-v2', { task: 'rerank' });
for (const name of ['jina-v2', 'jina-v2-code', 'jina-v3']) testOneTokenAlone(name);

interface TaskAdapters {
  readonly texts: readonly string[];
  readonly tasks: Readonly<Record<string, { readonly normalized: readonly (readonly number[])[] }>>;
}

const V3 = 'public/jina-v3/model';
const { with_task_adapters: adapters }: { with_task_adapters: TaskAdapters } = JSON.parse(
  readFileSync(new URL('public/jina-v3/expected.json', import.meta.url), 'utf8'),
);

test.each(Object.entries(adapters.tasks))('jina-v3: default_task %s merges its adapters', async (task, expected) => {
  const { config } = await openModelFolder(V3, fileURLToPath(new URL(V3, import.meta.url)));
  const model = await compileGolden(V3, { config: { ...config, default_task: task } });
  onTestFinished(() => model.close());
  expect([...model.compiled.unreadTensors].sort()).toEqual([...V3_POOLER].sort());
  const golden = readGolden('jina-v3');
  const batch = golden.cases.find(({ id }) => id === 'batch');
  if (batch === undefined) throw new Error('expected a case of the texts that the tasks were computed for');
  for (const [index, item] of encodingsOf(batch).entries()) {
    const difference = maxDifference(await model.run([item]), [expected.normalized[index] ?? []]);
    expect(difference).toBeLessThanOrEqual(golden.tolerance_tight);
  }
});
