import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../../test/fakes/model-folder.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { createTokenizer } from '../create-tokenizer.ts';
import { buildTokenizer } from './build-tokenizer.ts';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/public/', import.meta.url));
const readJson = (name: string) => JSON.parse(readFileSync(path.join(GOLDEN, name), 'utf8'));

/** The vocabulary files that stand for a golden model's tokenizer.json. */
const FILES_OF: Readonly<
  Record<string, (tokenizer: JsonObject & { model: never }) => Record<string, string | Uint8Array>>
> = {
  'bert-mean': ({ model: { vocab } }) => ({ 'vocab.txt': `${byId(vocab).join('\n')}\n` }),
  'roberta-embed': ({ model: { vocab, merges } }) => ({
    'vocab.json': JSON.stringify(vocab),
    'merges.txt': ['#version: 0.2', ...(merges as (string | string[])[]).map((merge) => [merge].flat().join(' '))].join(
      '\n',
    ),
  }),
  'xlmr-embed': (tokenizer) => ({ 'sentencepiece.bpe.model': sentencePieceModel(tokenizer) }),
};

function byId(vocab: Readonly<Record<string, number>>): string[] {
  return Object.entries(vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([word]) => word);
}

/** What fairseq's converter started from: SentencePiece's own three first pieces, then the rest. */
function sentencePieceModel(tokenizer: JsonObject & { model: never }): Uint8Array {
  const { model, normalizer } = tokenizer as unknown as {
    model: { vocab: [string, number][] };
    normalizer: { normalizers: { precompiled_charsmap?: string }[] };
  };
  const writer = new BinaryWriter();
  const pieces = [['<unk>', 0], ['<s>', 0], ['</s>', 0], ...model.vocab.slice(4)] as [string, number][];
  for (const [piece, score] of pieces) {
    const message = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string(piece)
      .tag(2, WireType.Bit32)
      .float(score);
    writer.tag(1, WireType.LengthDelimited).bytes(message.finish());
  }
  const charsmap = Buffer.from(normalizer.normalizers[0]?.precompiled_charsmap ?? '', 'base64');
  const trainer = new BinaryWriter().tag(3, WireType.Varint).int32(1);
  const spec = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string('nmt_nfkc')
    .tag(2, WireType.LengthDelimited)
    .bytes(charsmap);
  writer.tag(2, WireType.LengthDelimited).bytes(trainer.finish());
  return writer.tag(3, WireType.LengthDelimited).bytes(spec.finish()).finish();
}

function folderOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  tokenizerConfig: JsonObject | undefined,
  config = {},
) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return fakeModelFolder({ path: folder, files: Object.keys(files), tokenizerConfig, config });
}

test.each(Object.keys(FILES_OF))('%s without tokenizer.json gives the ids of the reference', async (name) => {
  const tokenizer = readJson(`${name}/model/tokenizer.json`);
  const { tokenizer_class: _, ...config } = readJson(`${name}/model/tokenizer_config.json`);
  const folder = folderOf(FILES_OF[name]?.(tokenizer) ?? {}, config, readJson(`${name}/model/config.json`));
  const { cases, max_seq_length: maxPositions } = readJson(`${name}/expected.json`);
  const built = await createTokenizer(folder, { vocabularySize: 1000, maxPositions });
  let compared = 0;
  for (const { id, inputs, token_ids: expected } of cases) {
    // Those have text before them that the inputs do not hold.
    if (id.startsWith('prompt_')) continue;
    const encodings = await built.encode(inputs.texts);
    expect(encodings.map(({ ids }) => [...ids])).toEqual(expected);
    compared += encodings.length;
  }
  expect(compared).toBeGreaterThan(5);
});

test.each([
  ['no vocabulary', {}, undefined, {}, 'a folder without any vocabulary'],
  [
    'a class that reads it in another way',
    { 'vocab.txt': 'a' },
    { tokenizer_class: 'MPNetTokenizer' },
    {},
    'vocab.txt of MPNetTokenizer',
  ],
  [
    'a family that reads it in another way',
    { 'vocab.json': '{}', 'merges.txt': '' },
    undefined,
    { model_type: 'qwen2' },
    'vocab.json, merges.txt',
  ],
  ['another SentencePiece model', { 'spiece.model': 'x' }, undefined, { model_type: 't5' }, 'spiece.model'],
])('%s is refused with what to do', (_name, files, tokenizerConfig, config, actual) => {
  expect(() => buildTokenizer(folderOf(files, tokenizerConfig, config))).toThrow(
    expect.objectContaining({
      code: 'invalid_model_folder',
      message: expect.stringMatching(
        `expected a tokenizer\\.json .*, got ${actual}; to make one, run in Python: .*AutoTokenizer\\.from_pretrained\\('org/model'\\)`,
      ),
    }),
  );
});

test('a damaged SentencePiece model is named', () => {
  const folder = folderOf({ 'sentencepiece.bpe.model': 'no model at all' }, undefined, { model_type: 'xlm-roberta' });
  expect(() => buildTokenizer(folder)).toThrow(/expected a vocabulary in sentencepiece\.bpe\.model, got: /);
});
