// What people write into flags, the environment and files.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, anyValue, damagedText, holdsForAll, RUNS } from '../../test/fakes/untrusted.ts';
import { parseConfig } from './parse-config.ts';
import { parseKeyFile } from './parse-key-file.ts';
import { parseSettings } from './parse-settings.ts';
import { SETTING_ENTRIES } from './schema.ts';
import { environmentNameOf } from './setting-entry.ts';

const CONFIG = `port: 7997
models:
  - model-id: BAAI/bge-small-en-v1.5
    dtype: int8
  - model_id: org/other
    batch-size: 8
`;
const KEYS = `keys:
  - name: search
    key: secret-of-search
    scopes: [embed, rerank]
`;

const names = SETTING_ENTRIES.map(environmentNameOf);
const values = fc.oneof(
  anyText,
  fc.constantFrom(
    '',
    ';',
    ';;',
    '1',
    '-1',
    '0',
    '1e9',
    '007',
    '9'.repeat(40),
    'true',
    'FALSE',
    'float16;int8',
    'a;b;c',
  ),
);

test('any environment makes settings or an error that names the variable', async () => {
  const environments = fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 5 });
  await holdsForAll(environments, (pairs) => void parseSettings({}, Object.fromEntries(pairs)), RUNS * 5);
});

test('a damaged or arbitrary configuration file is read or refused', async () => {
  const texts = fc.oneof(
    damagedText(CONFIG),
    anyText,
    anyValue.map((value) => JSON.stringify(value)),
  );
  await holdsForAll(texts, (text) => void parseSettings({}, {}, parseConfig(text, 'infinity.yaml')), RUNS * 2);
});

test('a damaged or arbitrary file of keys is read or refused, and no error quotes it', async () => {
  const texts = fc.oneof(
    damagedText(KEYS),
    anyText,
    anyValue.map((value) => JSON.stringify(value)),
  );
  await holdsForAll(
    texts,
    (text) => {
      try {
        parseKeyFile(text, 'keys.yaml');
      } catch (error) {
        if (text.includes('secret-of-search')) expect(String(error)).not.toContain('secret-of-search');
        throw error;
      }
    },
    RUNS * 2,
  );
});
