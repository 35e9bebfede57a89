import { expect, test } from 'vitest';
import { parseConfig } from './parse-config.ts';
import { parseSettings } from './parse-settings.ts';
import { SETTING_ENTRIES } from './schema.ts';
import { environmentNameOf } from './setting-entry.ts';
import { settingWarnings } from './setting-warnings.ts';

test('nothing is said of settings that are not given, or that ask for what happens anyway', () => {
  expect(settingWarnings({}, {})).toEqual([]);
  expect(settingWarnings({ 'trust-remote-code': ['false'] }, { INFINITY_LENGTHS_VIA_TOKENIZE: '1' })).toEqual([]);
});

test('a setting that changes nothing is accepted with one warning that says why', () => {
  const flags = { bettertransformer: ['true'], 'device-id': ['0,1'] };
  const environment = { INFINITY_COMPILE: 'true;false', INFINITY_MODEL_ID: 'a;b' };
  expect(() => parseSettings(flags, environment)).not.toThrow();
  expect(settingWarnings(flags, environment, parseConfig('trust-remote-code: true', 'f'))).toEqual([
    expect.stringMatching(/^trust-remote-code in f changes nothing: no code of a repository is ever run/),
    '--device-id changes nothing: the CPU is one device.',
    'INFINITY_COMPILE changes nothing: every model is compiled to an ONNX graph, and there is no torch.',
    '--bettertransformer changes nothing: attention is always fused.',
  ]);
});

test('a precision that cannot be had is replaced by one that can, with one warning', () => {
  const environment = { INFINITY_DTYPE: 'FP8;int8;fp8', INFINITY_MODEL_ID: 'a;b;c' };
  expect(parseSettings({}, environment).models.map(({ dtype }) => dtype)).toEqual(['float32', 'int8', 'float32']);
  expect(settingWarnings({}, environment)).toEqual([
    'INFINITY_DTYPE: fp8 is not computed here: float32 is served instead.',
  ]);
  const config = parseConfig('models: [{ model-id: a }, { model-id: b, dtype: fp8 }]', 'f');
  expect(settingWarnings({}, {}, config)).toEqual(['dtype in f: fp8 is not computed here: float32 is served instead.']);
});

test.each([
  ['INFINITY_BATCHSIZE', 'INFINITY_BATCHSIZE is not a setting; did you mean INFINITY_BATCH_SIZE?'],
  ['INFINITY_API_KEYS', 'INFINITY_API_KEYS is not a setting; did you mean INFINITY_API_KEY?'],
  ['INFINITY_WAR', 'INFINITY_WAR is not a setting'],
])('%s is warned about with the nearest name, and its value never shown', (name, warning) => {
  expect(settingWarnings({}, { [name]: 'secret' })).toEqual([warning]);
});

test('names that are read elsewhere, and those of other programs, are none', () => {
  const names = ['INFINITY_HOME', 'INFINITY_ANONYMOUS_USAGE_STATS', 'DO_NOT_TRACK', 'HF_HOME'];
  const settings = SETTING_ENTRIES.map(environmentNameOf);
  expect(settingWarnings({}, Object.fromEntries([...names, ...settings].map((name) => [name, ''])))).toEqual([]);
});

test('what Kubernetes sets beside a service named infinity does not move the port', () => {
  const environment = {
    INFINITY_PORT: 'tcp://10.0.0.7:7997',
    INFINITY_PORT_7997_TCP: 'tcp://10.0.0.7:7997',
    INFINITY_SERVICE_HOST: '10.0.0.7',
  };
  expect(parseSettings({}, environment).port).toBe(7997);
  expect(settingWarnings({}, environment)).toEqual([
    "INFINITY_PORT is 'tcp://10.0.0.7:7997', which Kubernetes sets for a service named 'infinity'; it is not used as the port.",
  ]);
});
