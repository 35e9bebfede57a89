// Configs come from whoever made the model: those of every family are spoiled field by field.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { test } from 'vitest';
import { openModel } from '../../src/compiler/open-model.ts';
import type { JsonObject } from '../../src/contracts/json.ts';
import type { ModelFolder } from '../../src/contracts/model-folder.ts';
import { isLfsPointer } from '../../src/hub/lfs-pointer.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { readJsonObject } from '../../src/hub/read-json-file.ts';
import { readModules } from '../../src/hub/read-modules.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { anyBytes, anyText, damagedText, holdsForAll, RUNS, withOtherValues } from '../fakes/untrusted.ts';

const PUBLIC = fileURLToPath(new URL('./public/', import.meta.url));
const folders = await Promise.all(
  readdirSync(PUBLIC).map((name) => openModelFolder(name, path.join(PUBLIC, name, 'model'))),
);

/** The parts of a folder that are JSON, of those that it has. */
const PARTS = ['config', 'sentenceBertConfig', 'sentenceTransformersConfig', 'tokenizerConfig'] as const;

const spoiled = fc.constantFrom(...folders).chain((folder) => {
  const parts = PARTS.flatMap((name) => {
    const part = folder[name];
    return isEmpty(part) ? [] : [withOtherValues(part).map((other) => ({ [name]: other }))];
  });
  const modules = folder.modules.flatMap(({ config, ...module }, index) => {
    const spoil = (other: JsonObject) => ({ modules: folder.modules.with(index, { ...module, config: other }) });
    return isEmpty(config) ? [] : [withOtherValues(config).map(spoil)];
  });
  return fc.oneof(...parts, ...modules).map((change): ModelFolder => Object.assign({ ...folder }, change));
});

function isEmpty(part: JsonObject | undefined): part is undefined {
  return part === undefined || Object.keys(part).length === 0;
}

test('a model with other values in its files is laid out or refused', async () => {
  await holdsForAll(spoiled, async (folder) => (await openModel(folder, 'auto')).close(), RUNS * 4);
}, 3_600_000);

test('a damaged or arbitrary file of JSON is read or refused', async () => {
  const filePath = path.join(temporaryFolder(), 'config.json');
  const valid = JSON.stringify({ model_type: 'bert', hidden_size: 32, id2label: { 0: 'a' } });
  await holdsForAll(fc.oneof(damagedText(valid), anyText, anyBytes), async (content) => {
    writeFileSync(filePath, content);
    await readJsonObject(filePath);
  });
});

test('a damaged or arbitrary list of modules is read or refused, and leads to nothing outside', async () => {
  const root = temporaryFolder();
  const row = { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' };
  const rows = fc.array(withOtherValues(row), { maxLength: 3 }).map((list) => JSON.stringify(list));
  await holdsForAll(fc.oneof(rows, damagedText(JSON.stringify([row])), anyText), async (text) => {
    writeFileSync(path.join(root, 'modules.json'), text);
    await readModules(root, ['modules.json', '1_Pooling/config.json']);
  });
});

test('any text is a pointer of Git LFS or is not', async () => {
  const valid = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 133\n`;
  await holdsForAll(fc.oneof(damagedText(valid), anyText), (text) => void isLfsPointer(text), RUNS * 5);
});
