import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSettings } from './parse-settings.ts';
import type { Environment, FlagValues } from './read-option.ts';

const refused = (flags: FlagValues, environment: Environment, message: string) =>
  expect(() => parseSettings(flags, environment)).toThrow(
    expect.objectContaining({ code: 'invalid_settings', message, param: message.split(':')[0] }),
  );

/** Settings that change nothing here. */
const UNUSED = {
  trustRemoteCode: false,
  deviceId: undefined,
  lengthsViaTokenize: true,
  poolingMethod: 'auto',
  compile: false,
  bettertransformer: false,
  onnxDisableOptimize: false,
  onnxDoNotPreferQuantized: true,
};

test('without flags and environment both bundled models are served on port 7997', () => {
  const bundled: { id: string }[] = JSON.parse(
    readFileSync(new URL('../../models/bundled.json', import.meta.url), 'utf8'),
  );
  expect(parseSettings({}, {})).toEqual({
    models: bundled.map(({ id }) => ({
      modelId: id,
      servedModelName: id,
      revision: undefined,
      batchSize: 32,
      task: 'auto',
      lanes: 0,
      threads: 0,
      dtype: 'float32',
      strictDtype: false,
      forceDtype: false,
      device: 'cpu',
      engine: 'torch',
      modelWarmup: true,
      lazyLoad: false,
      ...UNUSED,
      vectorDiskCache: false,
      embeddingDtype: 'float32',
    })),
    bundledModels: true,
    preloadOnly: false,
    configFile: undefined,
    strictModelNames: false,
    urlPrefix: '',
    documentForm: 'auto',
    tokenIds: 'model',
    host: '0.0.0.0',
    port: 7997,
    unixSocket: undefined,
    redirectSlash: '/docs',
    permissiveCors: false,
    proxyRootPath: undefined,
    apiKeys: [],
    apiKeyFile: undefined,
    protectMetrics: false,
    protectDocs: false,
    sslCertfile: undefined,
    sslKeyfile: undefined,
    sslKeyfilePassword: undefined,
    sslCaCerts: undefined,
    maxBatchTokens: 4096,
    maxQueuedTokens: 2_097_152,
    maxQueuedItems: 32_000,
    requestsPerMinute: 0,
    tokensPerMinute: 0,
    requestTimeoutS: 0,
    runTimeoutS: 600,
    maxClientBatchSize: 2048,
    bodyLimitBytes: 67_108_864,
    vectorDiskCacheBytes: 1_073_741_824,
    vectorMemoryCacheBytes: 0,
    vectorCacheUrl: undefined,
    logLevel: 'info',
    logFormat: 'text',
    failFast: false,
    shutdownGraceS: 120,
    idleUnloadMinutes: 0,
    maxMemoryBytes: 0,
    loadWaitS: 60,
  });
});

test.each([
  ['the default', {}, {}, 7997],
  ['the environment', {}, { INFINITY_PORT: '80' }, 80],
  ['the flag', { port: ['81'] }, {}, 81],
  ['the flag before the environment', { port: ['81'] }, { INFINITY_PORT: '80' }, 81],
  ['the flag before an environment that is wrong', { port: ['81'] }, { INFINITY_PORT: 'x' }, 81],
  ['the default when the environment is empty', {}, { INFINITY_PORT: '' }, 7997],
])('a setting is %s', (_name, flags, environment, port) => {
  expect(parseSettings(flags, environment).port).toBe(port);
});

test('each setting is read from its environment variable', () => {
  const settings = parseSettings(
    {},
    {
      INFINITY_MODEL_ID: 'org/a',
      INFINITY_SERVED_MODEL_NAME: 'a',
      INFINITY_REVISION: 'v1',
      INFINITY_BATCH_SIZE: '8',
      INFINITY_TASK: 'rerank',
      INFINITY_BUNDLED_MODELS: 'no',
      INFINITY_DTYPE: 'float32',
      INFINITY_DEVICE: 'cpu',
      INFINITY_ENGINE: 'torch',
      INFINITY_EMBEDDING_DTYPE: 'ubinary',
      INFINITY_STRICT_MODEL_NAMES: '1',
      INFINITY_URL_PREFIX: '/v1',
      INFINITY_DOCUMENT_FORM: 'object',
      INFINITY_TOKEN_IDS: 'cl100k_base',
      INFINITY_HOST: '::1',
      INFINITY_PORT: '0',
      INFINITY_API_KEY: ' secret-1;secret-2 ',
      INFINITY_API_KEY_FILE: '/run/keys.yaml',
      INFINITY_PROTECT_METRICS: '1',
      INFINITY_PROTECT_DOCS: 'yes',
      INFINITY_SSL_CERTFILE: '/run/tls.crt',
      INFINITY_SSL_KEYFILE: '/run/tls.key',
      INFINITY_SSL_KEYFILE_PASSWORD: 'sesame',
      INFINITY_SSL_CA_CERTS: '/run/ca.crt',
      INFINITY_LANES: '2',
      INFINITY_THREADS: '3',
      INFINITY_MAX_BATCH_TOKENS: '512',
      INFINITY_MAX_QUEUED_TOKENS: '1000',
      INFINITY_QUEUE_SIZE: '100',
      INFINITY_REQUESTS_PER_MINUTE: '600',
      INFINITY_TOKENS_PER_MINUTE: '100000',
      INFINITY_REQUEST_TIMEOUT: '60',
      INFINITY_RUN_TIMEOUT: '30',
      INFINITY_MAX_CLIENT_BATCH_SIZE: '10',
      INFINITY_BODY_LIMIT: '1000',
      INFINITY_VECTOR_DISK_CACHE: 'true',
      INFINITY_VECTOR_DISK_CACHE_BYTES: '2000000',
      INFINITY_VECTOR_MEMORY_CACHE_BYTES: '3000',
      INFINITY_VECTOR_CACHE_URL: 'redis://host',
      INFINITY_LOG_LEVEL: 'WARNING',
      INFINITY_LOG_FORMAT: 'JSON',
      INFINITY_FAIL_FAST: '1',
      INFINITY_SHUTDOWN_GRACE: '20',
      INFINITY_LAZY_LOAD: '1',
      INFINITY_IDLE_UNLOAD: '15',
      INFINITY_MAX_MEMORY: '4000000000',
      INFINITY_LOAD_WAIT: '30',
      INFINITY_MODEL_WARMUP: 'no',
      INFINITY_PRELOAD_ONLY: 'yes',
      INFINITY_UNIX_SOCKET: '/run/infinity.sock',
      INFINITY_REDIRECT_SLASH: '/models',
      INFINITY_PERMISSIVE_CORS: '1',
      INFINITY_PROXY_ROOT_PATH: '/embed',
      INFINITY_NEVER_HEARD_OF: 'ignored',
    },
  );
  expect(settings).toEqual({
    models: [
      {
        modelId: 'org/a',
        servedModelName: 'a',
        revision: 'v1',
        batchSize: 8,
        task: 'rerank',
        lanes: 2,
        threads: 3,
        dtype: 'float32',
        strictDtype: false,
        forceDtype: false,
        device: 'cpu',
        engine: 'torch',
        modelWarmup: false,
        lazyLoad: true,
        ...UNUSED,
        vectorDiskCache: true,
        embeddingDtype: 'ubinary',
      },
    ],
    bundledModels: false,
    preloadOnly: true,
    configFile: undefined,
    unixSocket: '/run/infinity.sock',
    redirectSlash: '/models',
    permissiveCors: true,
    proxyRootPath: '/embed',
    strictModelNames: true,
    urlPrefix: '/v1',
    documentForm: 'object',
    tokenIds: 'cl100k_base',
    host: '::1',
    port: 0,
    apiKeys: ['secret-1', 'secret-2'],
    apiKeyFile: '/run/keys.yaml',
    protectMetrics: true,
    protectDocs: true,
    sslCertfile: '/run/tls.crt',
    sslKeyfile: '/run/tls.key',
    sslKeyfilePassword: 'sesame',
    sslCaCerts: '/run/ca.crt',
    maxBatchTokens: 512,
    maxQueuedTokens: 1000,
    maxQueuedItems: 100,
    requestsPerMinute: 600,
    tokensPerMinute: 100_000,
    requestTimeoutS: 60,
    runTimeoutS: 30,
    maxClientBatchSize: 10,
    bodyLimitBytes: 1000,
    vectorDiskCacheBytes: 2_000_000,
    vectorMemoryCacheBytes: 3000,
    vectorCacheUrl: 'redis://host',
    logLevel: 'warning',
    logFormat: 'json',
    failFast: true,
    shutdownGraceS: 20,
    idleUnloadMinutes: 15,
    maxMemoryBytes: 4_000_000_000,
    loadWaitS: 30,
  });
});

const modelIds = (flags: FlagValues, environment: Environment) =>
  parseSettings(flags, environment).models.map((model) => model.modelId);

test.each([
  ['split at each semicolon', {}, { INFINITY_MODEL_ID: 'a/b;c/d' }, ['a/b', 'c/d']],
  ['without one trailing semicolon', {}, { INFINITY_MODEL_ID: 'a/b;c/d;' }, ['a/b', 'c/d']],
  ['without blanks around a part', {}, { INFINITY_MODEL_ID: ' a/b ; c/d; ' }, ['a/b', 'c/d']],
  ['replaced as a whole by flags', { 'model-id': ['e/f'] }, { INFINITY_MODEL_ID: 'a/b;c/d' }, ['e/f']],
  ['not split on the command line', { 'model-id': ['a;b'] }, {}, ['a;b']],
])('a list in the environment is %s', (_name, flags, environment, expected) => {
  expect(modelIds(flags, environment)).toEqual(expected);
});

const batchSizes = (environment: Environment) =>
  parseSettings({ 'model-id': ['a', 'b', 'c'] }, environment).models.map((model) => model.batchSize);

test('a list of one value is for all models, a list of as many values as models goes by position', () => {
  expect(batchSizes({ INFINITY_BATCH_SIZE: '8' })).toEqual([8, 8, 8]);
  expect(batchSizes({ INFINITY_BATCH_SIZE: '8;4;2' })).toEqual([8, 4, 2]);
});

test('a list of another length is refused with the number of models', () => {
  refused(
    { 'model-id': ['a', 'b', 'c'], 'batch-size': ['8', '4'] },
    {},
    '--batch-size: expected 1 value or 3, one for each of the 3 models, got 2',
  );
  refused(
    { 'model-id': ['a'] },
    { INFINITY_BATCH_SIZE: '8;4' },
    'INFINITY_BATCH_SIZE: expected 1 value for the 1 model, got 2',
  );
});

test('an empty part in a list of names stands for the default name', () => {
  const { models } = parseSettings({}, { INFINITY_MODEL_ID: 'org/a;org/b', INFINITY_SERVED_MODEL_NAME: ';mine' });
  expect(models.map((model) => model.servedModelName)).toEqual(['org/a', 'mine']);
});

test('two models of one name are refused', () => {
  refused(
    { 'model-id': ['/models/bge', 'org/models/bge'] },
    {},
    "--served-model-name: expected a different name for each model, got 'models/bge' for '/models/bge' and for 'org/models/bge'",
  );
  refused(
    { 'served-model-name': ['x'], 'model-id': ['a', 'b'] },
    {},
    "--served-model-name: expected a different name for each model, got 'x' for 'a' and for 'b'",
  );
});

test.each([
  ['port', '65536', "expected an integer from 0 to 65535, got '65536'"],
  ['port', '-1', "expected an integer from 0 to 65535, got '-1'"],
  ['port', '80.5', "expected an integer from 0 to 65535, got '80.5'"],
  ['port', '', "expected an integer from 0 to 65535, got ''"],
  ['port', '0x50', "expected an integer from 0 to 65535, got '0x50'"],
  ['batch-size', '0', "expected an integer of at least 1, got '0'"],
  ['batch-size', '9'.repeat(100), `expected an integer of at least 1, got '${'9'.repeat(80)}…'`],
  ['model-id', '', 'expected <id>, got an empty string'],
  ['host', '', 'expected <address>, got an empty string'],
  ['dtype', 'int7', "expected float32 or float16 or bfloat16 or int8 or fastest or auto or fp8, got 'int7'"],
  ['device', 'cuda', "expected cpu or auto, got 'cuda', which this version does not support"],
  [
    'engine',
    'neuron',
    "expected torch or optimum or auto or debugengine, got 'neuron', which this version does not support",
  ],
  ['log-level', 'loud', "expected critical or error or warning or info or debug or trace, got 'loud'"],
  ['log-level', 'constructor', "expected critical or error or warning or info or debug or trace, got 'constructor'"],
])('--%s %j is refused, with what is expected', (option, text, problem) => {
  refused({ [option]: [text] }, {}, `--${option}: ${problem}`);
});

test('a value from the environment is refused by the name of its variable', () => {
  refused({}, { INFINITY_DEVICE: 'gpu' }, "INFINITY_DEVICE: expected cpu or auto, got 'gpu'");
  refused({}, { INFINITY_MODEL_ID: 'a;;b' }, 'INFINITY_MODEL_ID: expected <id>, got an empty string');
});

test('an empty key on the command line switches the key of the environment off', () => {
  expect(parseSettings({ 'api-key': [''] }, { INFINITY_API_KEY: 'key' }).apiKeys).toEqual([]);
});

test('several keys are given by repeating the flag, or by semicolons in the environment', () => {
  expect(parseSettings({ 'api-key': ['a;b', 'c'] }, { INFINITY_API_KEY: 'key' }).apiKeys).toEqual(['a;b', 'c']);
  expect(parseSettings({}, { INFINITY_API_KEY: 'sesame-1; sesame-2;' }).apiKeys).toEqual(['sesame-1', 'sesame-2']);
  expect(parseSettings({}, { INFINITY_API_KEY: 'k' }).apiKeys).toEqual(['k']);
});

test.each([';', ' ', ' ; ', 's;cret', 'sesame-1;;sesame-2'])(
  'the keys %j of the environment leave nothing open',
  (keys) => {
    expect(() => parseSettings({}, { INFINITY_API_KEY: keys })).toThrow(
      /^INFINITY_API_KEY: expected values of at least \d/,
    );
  },
);

test('to refuse and to force a dtype contradict each other, for one model', () => {
  const both = { 'strict-dtype': ['true'], 'force-dtype': ['true'] };
  expect(() => parseSettings(both, {})).toThrow('expected one of --strict-dtype and --force-dtype');
  const apart = { 'model-id': ['a', 'b'], 'strict-dtype': ['true', 'false'], 'force-dtype': ['false', 'true'] };
  expect(parseSettings(apart, {}).models.map(({ forceDtype }) => forceDtype)).toEqual([false, true]);
});

test.each(['', '/', '/api', '/api/v1', '/a-b_c.d~e'])('%j is a URL prefix', (prefix) => {
  expect(parseSettings({ 'url-prefix': [prefix] }, {}).urlPrefix).toBe(prefix);
});

test.each(['v1', '/v1/', '//', '/a b', '/ä', '/a?b'])('%j is no URL prefix', (prefix) => {
  refused(
    { 'url-prefix': [prefix] },
    {},
    `--url-prefix: expected a path that starts with a slash and does not end with one, of letters, digits and '-', '.', '_', '~', got '${prefix}'`,
  );
});
