import { expect, test } from 'vitest';
import { keyDigest } from '../contracts/api-key.ts';
import { parseKeyFile } from './parse-key-file.ts';

test('a file of lines has a key in each, named after it', () => {
  expect(parseKeyFile('# of the search team\nsesame-1\r\n\n  sesame-2  \n', 'keys.txt')).toEqual([
    { name: 'line-2', digest: keyDigest('sesame-1') },
    { name: 'line-4', digest: keyDigest('sesame-2') },
  ]);
});

test('a YAML file has keys or their digests, with names, scopes and models', () => {
  const sha256 = Buffer.from(keyDigest('sesame-2')).toString('hex').toUpperCase();
  const text = `
- name: search
  key: open sesame
  scopes: [embed, rerank]
  models: [a/b]
  requests-per-minute: 60
- { name: admin, sha256: ${sha256}, requests-per-minute: 0, tokens-per-minute: 1000 }
`;
  expect(parseKeyFile(text, 'keys.yaml')).toEqual([
    {
      name: 'search',
      digest: keyDigest('open sesame'),
      scopes: ['embed', 'rerank'],
      models: ['a/b'],
      limits: { requestsPerMinute: 60 },
    },
    {
      name: 'admin',
      digest: Buffer.from(keyDigest('sesame-2')),
      limits: { requestsPerMinute: 0, tokensPerMinute: 1000 },
    },
  ]);
});

const SECRET = 'open-sesame';

test.each([
  ['keys', '', 'expected at least one key, got none'],
  ['keys', '# nothing', 'expected at least one key, got none'],
  ['keys', `- key: ${SECRET}`, 'line 1: expected one key without blanks (the name of a YAML file ends in .yaml)'],
  ['keys', `${SECRET}\u0007`, 'line 1: expected one key'],
  ['keys', `${SECRET}\n${SECRET}`, "expected keys and names that differ, got 'line-1' and 'line-2'"],
  ['keys', Array.from({ length: 1001 }, (_, index) => `${SECRET}-${index}`).join('\n'), 'expected at most 1000 keys'],
  ['k.yml', '', 'expected at least one key, got none'],
  ['k.yml', SECRET, 'expected a list of keys'],
  ['k.yml', `name: ${SECRET}`, 'expected a list of keys'],
  ['k.yml', `[${SECRET}]`, 'key 1: expected the fields name, key'],
  ['k.yml', `[{ ${SECRET}: x }]`, 'key 1: expected no fields but name, key'],
  ['k.yml', `[{ key: ${SECRET} }]`, 'key 1: expected a name of up to 64'],
  ['k.yml', `[{ name: a b, key: ${SECRET} }]`, 'key 1: expected a name of up to 64'],
  ['k.yml', '[{ name: a }]', 'key 1: expected one of key and sha256, got none'],
  ['k.yml', `[{ name: a, key: ${SECRET}, sha256: ${SECRET} }]`, 'key 1: expected one of key and sha256, got both'],
  ['k.yml', '[{ name: a, key: 123 }]', 'key 1: expected a key, as a text'],
  ['k.yml', '[{ name: a, key: "" }]', 'key 1: expected a key, as a text'],
  ['k.yml', `[{ name: a, key: "${SECRET} " }]`, 'key 1: expected a key, as a text'],
  ['k.yml', `[{ name: a, sha256: ${SECRET} }]`, 'key 1: expected a sha256 of 64 hexadecimal digits'],
  ['k.yml', `[{ name: a, key: ${SECRET}, scopes: [${SECRET}] }]`, 'key 1, scopes: expected embed, rerank'],
  ['k.yml', `[{ name: a, key: ${SECRET}, scopes: [] }]`, 'key 1, scopes: expected a list of texts'],
  ['k.yml', `[{ name: a, key: ${SECRET}, models: a }]`, 'key 1, models: expected a list of texts'],
  ['k.yml', `[{ name: a, key: ${SECRET}, models: [1] }]`, 'key 1, models: expected a list of texts'],
  [
    'k.yml',
    `[{ name: a, key: ${SECRET} }, { name: a, key: x }]`,
    "expected keys and names that differ, got 'a' and 'a'",
  ],
  ['k.yml', `[{ name: a, key: ${SECRET} }, { name: b, key: ${SECRET} }]`, "names that differ, got 'a' and 'b'"],
  ['k.yml', `[{ name: ${SECRET}`, 'expected YAML, got'],
])('%s with %j is refused without a word of it', (file, text, problem) => {
  const parse = () => parseKeyFile(text, file);
  expect(parse).toThrow(problem);
  expect(parse).not.toThrow(SECRET);
});
