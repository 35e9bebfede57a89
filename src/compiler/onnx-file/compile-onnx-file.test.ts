import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import type { Task } from '../../contracts/compiled-model.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { encodeModel, OPERATOR_SETS } from '../../formats/onnx/encode-model.ts';
import type { OnnxNode, OnnxValueInfo } from '../../formats/onnx/onnx-model.ts';
import { openSession } from '../../runtime/open-session.ts';
import { compileOnnxFile } from './compile-onnx-file.ts';
import { withPooling } from './with-pooling.ts';

const WIDTH = 2;
const TABLE = Float32Array.of(1, -1, 2, 0, 3, 5, -4, 1);

const node = (operator: string, inputs: readonly string[], output: string): OnnxNode => {
  return { name: output, operator, domain: '', inputs, outputs: [output], attributes: {} };
};
const value = (name: string, dims: OnnxValueInfo['dims'], elementType: OnnxValueInfo['elementType'] = 'INT64') => {
  return { name, dims, elementType };
};
const IDS = value('input_ids', ['batch', 'sequence']);
const HIDDEN = value('last_hidden_state', ['batch', 'sequence', WIDTH], 'FLOAT');
const LOOKUP = node('Gather', ['table', 'input_ids'], 'last_hidden_state');

interface FileOptions {
  readonly operatorSet?: number;
  readonly inputs?: readonly OnnxValueInfo[];
  readonly nodes?: readonly OnnxNode[];
  readonly outputs?: readonly OnnxValueInfo[];
}

/** A folder with a file of which every token's vector is a row of a table. */
function folderWith(options: FileOptions, fields: Partial<ModelFolder> = {}): ModelFolder {
  const { operatorSet = 17, inputs = [IDS], nodes = [LOOKUP], outputs = [HIDDEN] } = options;
  const root = temporaryFolder();
  const bytes = encodeModel(
    {
      name: 'table',
      nodes,
      inputs,
      outputs,
      initializers: [{ name: 'table', elementType: 'FLOAT', dims: [4, WIDTH], data: new Uint8Array(TABLE.buffer) }],
    },
    new Map([...OPERATOR_SETS, ['', operatorSet]]),
  );
  writeFileSync(path.join(root, 'model.onnx'), bytes);
  return fakeModelFolder({
    path: root,
    files: ['model.onnx'],
    config: { model_type: 'new-family', hidden_size: WIDTH, vocab_size: 4, max_position_embeddings: 16 },
    ...fields,
  });
}

const compile = (folder: ModelFolder, task: Task | 'auto' = 'auto') =>
  compileOnnxFile(folder, 'model.onnx', {
    outputFolder: temporaryFolder(),
    contentKey: 'key',
    precision: 'float32',
    task,
  });

async function embed(folder: ModelFolder, ids: readonly number[]) {
  const compiled = await compile(folder);
  const session = await openSession(compiled.graphPath, { threads: 1 });
  onTestFinished(() => session.dispose());
  const [output] = await session.run([
    { name: compiled.inputs[0]?.name ?? '', dims: [1, ids.length], data: Int32Array.from(ids) },
  ]);
  return [...(output?.data ?? [])];
}

const pooledBy = (config: object, ...others: readonly string[]): Partial<ModelFolder> => ({
  modules: [
    { type: 'Transformer', path: '', config: undefined },
    { type: 'Pooling', path: '1_Pooling', config: { ...config } },
    ...others.map((type) => ({ type, path: `2_${type}`, config: undefined })),
  ],
});

// The layers are written for one operator set; files have any.
describe.each([11, 12, 13, 14, 15, 17, 18, 20])('in operator set %d', (operatorSet) => {
  test.each([
    ['cls', [2, 0]],
    ['lasttoken', [3, 5]],
    ['max', [3, 5]],
    ['mean', [2.5, 2.5]],
    ['weightedmean', [8 / 3, 10 / 3]],
    ['mean_sqrt_len_tokens', [5 / Math.SQRT2, 5 / Math.SQRT2]],
  ])('pooling by %s', async (mode, expected) => {
    const vector = await embed(folderWith({ operatorSet }, pooledBy({ pooling_mode: mode })), [1, 2]);
    for (const [index, number] of expected.entries()) expect(vector[index]).toBeCloseTo(number, 6);
  });
});

test('without a file that says how, vectors are pooled by their mean, not by the first token', async () => {
  expect(await embed(folderWith({}), [0, 2])).toEqual([2, 2]);
});

test('inputs that only exporters know are made: masks, types and positions', async () => {
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'].map((name) =>
    value(name, ['batch', 'sequence']),
  );
  const sum = ['attention_mask', 'token_type_ids', 'position_ids'].reduce(
    ({ nodes, last }, name) => ({ nodes: [...nodes, node('Add', [last, name], `plus_${name}`)], last: `plus_${name}` }),
    { nodes: [] as OnnxNode[], last: 'input_ids' },
  );
  const nodes = [...sum.nodes, node('Gather', ['table', sum.last], 'last_hidden_state')];
  const folder = folderWith({ inputs, nodes }, pooledBy({ pooling_mode: 'lasttoken' }));
  // The second token has id 1, mask 1, position 1: row 3.
  const withoutTypes = { ...folder, tokenizerConfig: { model_input_names: ['input_ids'] } };
  expect(await embed(withoutTypes, [0, 1])).toEqual([-4, 1]);
});

test('a file that pools by itself is taken at its word, and normalised again where the model normalises', async () => {
  const pooled = node('ReduceMax', ['rows'], 'sentence_embedding');
  const nodes = [
    node('Gather', ['table', 'input_ids'], 'rows'),
    { ...pooled, attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } },
  ];
  const outputs = [value('sentence_embedding', ['batch', WIDTH], 'FLOAT')];
  const modules = pooledBy({ pooling_mode: 'max' }, 'Normalize');
  const [x = 0, y = 0] = await embed(folderWith({ nodes, outputs }, modules), [1, 2]);
  expect([x * Math.sqrt(34), y * Math.sqrt(34)].map((each) => Math.round(each * 1e4) / 1e4)).toEqual([3, 5]);
});

test('names that meet ours stay apart', async () => {
  const nodes = [
    node('Gather', ['table', 'input_ids'], 'Cast_0'),
    node('Identity', ['Cast_0'], 'embedding'),
    node('Identity', ['embedding'], 'last_hidden_state'),
  ];
  expect(await embed(folderWith({ nodes }), [3])).toEqual([-4, 1]);
});

test('a pooling of the settings takes the place of what the files say, and what follows it stays', async () => {
  const normalized = folderWith({}, pooledBy({ pooling_mode: 'mean', pooling_mode_mean_tokens: true }, 'Normalize'));
  expect(await embed(withPooling(normalized, 'cls'), [1, 3])).toEqual([1, 0]);
  expect(await embed(withPooling(folderWith({}), 'cls'), [1, 3])).toEqual([2, 0]);
  const declared = folderWith({}, pooledBy({ pooling_mode: 'max' }));
  expect(withPooling(declared, 'auto')).toBe(declared);
});

describe('what the files do not promise is refused by name', () => {
  const logits = { architectures: ['NewForSequenceClassification'], id2label: { 0: 'a', 1: 'b', 2: 'c' } };
  const config = { model_type: 'new-family', hidden_size: WIDTH, vocab_size: 4, max_position_embeddings: 16 };
  test.each<[string, FileOptions, Partial<ModelFolder>, string]>([
    [
      'a pooler, which no file of the model speaks of',
      {
        outputs: [value('pooler_output', ['batch', WIDTH], 'FLOAT')],
        nodes: [node('Gather', ['table', 'input_ids'], 'pooler_output')],
      },
      {},
      "its outputs are 'pooler_output' [batch, 2]; the model's files promise 'last_hidden_state' or 'token_embeddings'",
    ],
    ['hidden states in place of logits', {}, { config: { ...config, ...logits } }, "promise 'logits' of rank 2"],
    [
      'more logits than labels',
      { outputs: [value('logits', ['batch', 2], 'FLOAT')], nodes: [node('Gather', ['table', 'input_ids'], 'logits')] },
      { config: { ...config, ...logits } },
      'it gives 2 logits, config.json names 3 labels',
    ],
    [
      'another width than the modules',
      { outputs: [value('sentence_embedding', ['batch', 5], 'FLOAT')] },
      pooledBy({ pooling_mode: 'mean' }),
      "output 'sentence_embedding' is 5 wide, the model's modules promise 2",
    ],
    [
      'a cache of keys',
      { inputs: [IDS, value('past_key_values.0.key', ['b', 's'])] },
      {},
      "an input 'past_key_values.0.key'",
    ],
    ['no ids', { inputs: [value('pixel_values', ['b', 's'], 'FLOAT')] }, {}, "expected one that is called 'input_ids'"],
    [
      'a fixed length',
      { inputs: [value('input_ids', [1, 128])] },
      {},
      'has shape [1, 128], expected any batch and sequence',
    ],
    ['an old operator set', { operatorSet: 9 }, {}, 'has operator set 9, expected 11 or newer'],
    ['an unknown size', {}, { config: { hidden_size: 2 } }, 'config.json has none of the fields vocab_size'],
  ])('%s', async (_what, options, fields, message) => {
    await expect(compile(folderWith(options, fields))).rejects.toThrow(message);
  });
});

test('--task picks what the outputs allow', async () => {
  const nodes = [node('Gather', ['table', 'input_ids'], 'rows'), node('ReduceMax', ['rows'], 'logits')].map((each) =>
    each.operator === 'ReduceMax' ? { ...each, attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } } : each,
  );
  const folder = folderWith({ nodes, outputs: [value('logits', ['batch', WIDTH], 'FLOAT')] });
  expect(await compile(folder, 'classify')).toMatchObject({ tasks: ['classify'] });
  await expect(compile(folder, 'rerank')).rejects.toThrow(
    '--task asks for rerank, but its files can only do embed, classify',
  );
});
