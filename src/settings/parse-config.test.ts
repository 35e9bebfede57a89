import { expect, test } from 'vitest';
import { parseConfig } from './parse-config.ts';
import { parseSettings } from './parse-settings.ts';

const FILE = `
port: 8000
log_level: warning
batch-size: 16
models:
  - model-id: org/a
  - model_id: org/b
    batch-size: 4
    served-model-name: mine
    revision: 1.0
`;
const config = parseConfig(FILE, 'infinity.yaml');

test('a file names settings of the server, of all models and of each', () => {
  const settings = parseSettings({}, {}, config);
  expect(settings).toMatchObject({ port: 8000, logLevel: 'warning', host: '0.0.0.0' });
  expect(settings.models).toMatchObject([
    { modelId: 'org/a', servedModelName: 'org/a', batchSize: 16, revision: undefined },
    { modelId: 'org/b', servedModelName: 'mine', batchSize: 4, revision: '1' },
  ]);
});

test('flags and the environment go before the file', () => {
  const settings = parseSettings({ 'batch-size': ['2'] }, { INFINITY_PORT: '9000' }, config);
  expect(settings.port).toBe(9000);
  expect(settings.models.map((model) => model.batchSize)).toEqual([2, 2]);
});

test('model ids from elsewhere make the list of the file void, not its common settings', () => {
  const { models, port } = parseSettings({ 'model-id': ['x', 'y', 'z'] }, {}, config);
  expect(models.map((model) => [model.modelId, model.batchSize])).toEqual([
    ['x', 16],
    ['y', 16],
    ['z', 16],
  ]);
  expect(port).toBe(8000);
});

test('one model may be named without a list', () => {
  expect(parseSettings({}, {}, parseConfig('model-id: org/a', 'f')).models).toMatchObject([{ modelId: 'org/a' }]);
  expect(parseSettings({}, {}, parseConfig('', 'f')).models).toHaveLength(2);
});

test.each([
  ['prot: 1', "f: expected the name of a setting, got 'prot' (did you mean 'port'?)"],
  ['xyz: 1', "f: expected the name of a setting, got 'xyz'"],
  ['config: other.yaml', "f: expected the name of a setting, got 'config'"],
  ['port: [1]', "f: expected one value for 'port', got a list"],
  ['- a', 'f: expected setting names with their values, got a list'],
  ['models: []', "f: expected a list of models under 'models', got a list"],
  ['models: [{batch-size: 1}]', "f, model 1: expected 'model-id', got a model without one"],
  ['models: [org/a]', 'f, model 1: expected settings, got a string'],
  [
    'models: [{model-id: a, port: 1}]',
    "f, model 1: 'port' is a setting of the server, expected it outside of 'models'",
  ],
  ['port: "x', 'f: expected YAML, got MISSING_CHAR in line 1, column 9'],
])('%j is refused', (text, message) => {
  expect(() => parseConfig(text, 'f')).toThrow(expect.objectContaining({ code: 'invalid_settings', message }));
});

test('a value of the file is refused by its name and file', () => {
  expect(() => parseSettings({}, {}, parseConfig('port: 99999', 'f'))).toThrow(
    "port in f: expected an integer from 0 to 65535, got '99999'",
  );
});
