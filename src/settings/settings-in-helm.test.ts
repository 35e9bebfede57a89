import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { parseConfig } from './parse-config.ts';
import { parseSettings } from './parse-settings.ts';
import { SETTING_ENTRIES } from './schema.ts';
import { settingsOfChart, withSettingsInHelmSchema, withSettingsInHelmValues } from './settings-in-helm.ts';

const fileOfChart = (name: string) =>
  readFileSync(new URL(`../../deploy/helm/infinity/${name}`, import.meta.url), 'utf8');
const values = fileOfChart('values.yaml');
const schemaText = fileOfChart('values.schema.json');
const schema = JSON.parse(schemaText);

/** The values with every commented setting in force. */
const uncommented: { settings: Record<string, unknown> } = parse(values.replaceAll(/^ {2}# ([a-z-]+: )/gm, '  $1'));

test('the settings in the values of the Helm chart and in their schema are fresh (else: npm run generate)', () => {
  expect(withSettingsInHelmValues(values, SETTING_ENTRIES)).toBe(values);
  expect(withSettingsInHelmSchema(schemaText, SETTING_ENTRIES)).toBe(schemaText);
});

test('the values fit their schema, and name every setting that does something', () => {
  expect(Check(schema, parse(values))).toBe(true);
  expect(Check(schema, uncommented)).toBe(true);
  const useful = settingsOfChart(SETTING_ENTRIES).filter((entry) => entry.ignored === undefined);
  expect(Object.keys(uncommented.settings).sort()).toEqual(useful.map(({ option }) => option).sort());
});

test('the server reads what the chart hands it, and its defaults are those of the comments', () => {
  const { 'model-id': _, ...others } = uncommented.settings;
  const config = parseConfig(JSON.stringify(others), 'infinity.yaml');
  expect(parseSettings({}, {}, config)).toEqual(parseSettings({}, {}));
});

test.each<[string, unknown]>([
  ['a misspelt setting', { settings: { 'batch-sice': 32 } }],
  ['a number in words', { settings: { 'batch-size': 'many' } }],
  ['a number that is too small', { settings: { 'batch-size': 0 } }],
  ['an unknown choice', { settings: { engine: 'warp' } }],
  ['a model without an id', { settings: { models: [{ 'batch-size': 8 }] } }],
  ['a setting of the server for one model', { settings: { models: [{ 'model-id': 'a/b', 'log-level': 'info' }] } }],
  ['a setting that the chart decides', { settings: { port: 80 } }],
  ['a misspelt value of the chart', { replicas: 2 }],
])('%s is refused', (_case, given) => {
  expect(Check(schema, given)).toBe(false);
});

test('the models of the example in the comments can be given', () => {
  const lines = values.split('\n');
  const begin = lines.indexOf('#   settings:');
  const end = lines.indexOf('settings:');
  const example = lines.slice(begin, end).map((line) => line.replace(/^# {3}/, ''));
  const given: { settings: unknown } = parse(example.join('\n'));
  expect(Check(schema, given)).toBe(true);
  const { models } = parseSettings({}, {}, parseConfig(JSON.stringify(given.settings), 'infinity.yaml'));
  expect(models).toMatchObject([{ modelId: 'BAAI/bge-m3' }, { modelId: 'BAAI/bge-reranker-base', dtype: 'int8' }]);
});

test('the schema describes every value of the chart, and no other', () => {
  const inValues = Object.keys(parseDocument(values).toJS());
  expect(Object.keys(schema.properties).sort()).toEqual([...inValues, 'global'].sort());
});
