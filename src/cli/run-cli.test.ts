import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/fakes/temporary-folder.ts';
import { ServiceError } from '../contracts/errors.ts';
import { SETTING_ENTRIES } from '../settings/schema.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { environmentNameOf, flagOf } from '../settings/setting-entry.ts';
import type { DoctorFinding } from './cli-context.ts';
import { runCli } from './run-cli.ts';

interface Invocation {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
  readonly started: readonly ServeSettings[];
  /** Files that were to be computed, with the models for them. */
  readonly bulk: readonly unknown[];
}

interface World {
  readonly environment?: Readonly<Record<string, string>>;
  /** What the service does once it was started; ends with 0 when left out. */
  readonly service?: () => Promise<{ readonly done: Promise<number> }>;
  readonly findings?: readonly DoctorFinding[];
}

async function infinity(
  given: readonly string[],
  { environment = {}, service, findings = [] }: World = {},
): Promise<Invocation> {
  let out = '';
  let error = '';
  const started: ServeSettings[] = [];
  const bulk: unknown[] = [];
  const exitCode = await runCli(given, {
    environment,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    startService: async (settings) => {
      started.push(settings);
      return service === undefined ? { done: Promise.resolve(0) } : service();
    },
    downloadModels: async ({ models }) => models.map(({ modelId, revision }) => `${modelId} at ${revision}`),
    runBulk: async (request, settings) => {
      bulk.push([request, settings.models.map(({ modelId }) => modelId)]);
    },
    describeCachedModels: async () => ['Models in /cache'],
    removeModels: async (ids) => ids.map((id) => `Removed ${id}`),
    runBenchmark: async (options) => {
      out += options.join(' ');
      return 3;
    },
    examine: async () => findings,
    inspectVectorCache: async ({ vectorCacheUrl }, { clear }) => [
      { name: 'disk', entries: clear ? 0 : 1200, bytes: clear ? 0 : 1_830_000, limitBytes: 1_073_741_824 },
      { name: `redis ${vectorCacheUrl}`, entries: 5, bytes: undefined, limitBytes: undefined },
    ],
  });
  return { exitCode, out, error, started, bulk };
}

test.each([[[]], [['serve']], [['v2']]])('the command %j starts the server, quietly', async (given) => {
  const { started, ...rest } = await infinity(given);
  expect(rest).toEqual({ exitCode: 0, out: '', error: '', bulk: [] });
  expect(started).toHaveLength(1);
});

test('flags reach the settings, repeated or with an equals sign, and go before the environment', async () => {
  const given = [
    '--model-id',
    'a',
    '--model-id=b',
    '--port=81',
    '--port',
    '82',
    '--api-key',
    '-k=1',
    '--body-limit',
    '9',
  ];
  const { started } = await infinity(given, { environment: { INFINITY_PORT: '80', INFINITY_HOST: '::1' } });
  expect(started).toMatchObject([
    { models: [{ modelId: 'a' }, { modelId: 'b' }], port: 82, host: '::1', apiKeys: ['-k=1'], bodyLimitBytes: 9 },
  ]);
});

test('every setting has a flag that the parser knows', async () => {
  for (const entry of SETTING_ENTRIES) {
    const { error, exitCode } = await infinity([flagOf(entry)]);
    if (entry.kind === 'boolean') {
      expect([exitCode, (await infinity([`--no-${entry.option}`])).exitCode]).toEqual([0, 0]);
      continue;
    }
    expect(error).toContain(`option '${flagOf(entry)} <`);
    expect(error).toContain('argument missing');
  }
});

test.each([[['--help']], [['-h']], [['help']], [['serve', '--help']], [['help', 'v2']], [['--port', '1', '--help']]])(
  'the help of %j shows each flag with its variable and starts nothing',
  async (given) => {
    const { exitCode, out, error, started } = await infinity(given);
    expect({ exitCode, error, started }).toEqual({ exitCode: 0, error: '', started: [] });
    for (const entry of SETTING_ENTRIES) {
      expect(out).toContain(flagOf(entry));
      expect(out).toContain(environmentNameOf(entry));
    }
    expect(out).toMatch(/default:\s+7997/);
  },
);

test('what changes nothing, and names that nobody reads, are warned about, and the start goes on', async () => {
  const { exitCode, error, started } = await infinity(['--compile'], {
    environment: { INFINITY_BATCHSIZE: '4', INFINITY_BETTERTRANSFORMER: 'true' },
  });
  expect(exitCode).toBe(0);
  expect(started).toHaveLength(1);
  expect(error.split('\n')).toEqual([
    'WARNING: --compile changes nothing: every model is compiled to an ONNX graph, and there is no torch.',
    'WARNING: INFINITY_BETTERTRANSFORMER changes nothing: attention is always fused.',
    'WARNING: INFINITY_BATCHSIZE is not a setting; did you mean INFINITY_BATCH_SIZE?',
    '',
  ]);
});

test("the original's deprecated command and its flag still start a server", async () => {
  const { exitCode, started } = await infinity(['v1', '--model-name-or-path=org/a', '--port', '1']);
  expect(exitCode).toBe(0);
  expect(started).toMatchObject([{ port: 1, models: [{ modelId: 'org/a' }] }]);
});

test('a configuration file is read from the flag or the variable', async () => {
  const file = path.join(temporaryFolder(), 'infinity.yaml');
  writeFileSync(file, 'models: [{model-id: org/a, batch-size: 4}, {model-id: org/b}]');
  for (const [given, environment] of [
    [['--config', file], {}],
    [[], { INFINITY_CONFIG: file }],
  ] as const) {
    const { started } = await infinity(given, { environment });
    expect(started).toMatchObject([{ models: [{ modelId: 'org/a', batchSize: 4 }, { batchSize: 32 }] }]);
  }
  expect(await infinity(['--config', '/nowhere.yaml'])).toMatchObject({
    exitCode: 2,
    error: "ERROR: --config: expected a readable file, got ENOENT for '/nowhere.yaml'\n",
  });
});

test('the version is the one of the package', async () => {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  expect(await infinity(['--version'])).toMatchObject({ exitCode: 0, out: `${manifest.version}\n`, error: '' });
});

test.each([
  [['--modle-id', 'x'], "ERROR: unknown option '--modle-id' (Did you mean --model-id?)\n"],
  [['--modle-id=x'], "ERROR: unknown option '--modle-id' (Did you mean --model-id?)\n"],
  [['-p', '80'], "ERROR: unknown option '-p'\n"],
  [['serv'], "ERROR: unknown command 'serv' (Did you mean serve?)\n"],
  [['--port'], "ERROR: option '--port <n>' argument missing\n"],
  [['v2', 'x'], "ERROR: too many arguments for 'serve'. Expected 0 arguments but got 1.\n"],
  [['--port', 'x'], "ERROR: --port: expected an integer from 0 to 65535, got 'x'\n"],
  [['--device', 'a\nb'], "ERROR: --device: expected cpu or auto, got 'a b'\n"],
])('the wrong command line %j is refused with exit code 2 in one line', async (given, error) => {
  expect(await infinity(given)).toEqual({ exitCode: 2, out: '', error, started: [], bulk: [] });
});

test.each([
  [['--api-key', 'secret', 'secret']],
  [['--api-kye', 'secret']],
  [['--api-kye=secret']],
  [['--api-key', 'secret', '--port', 'x']],
])('a wrong command line never quotes a key: %j', async (given) => {
  const { exitCode, out, error } = await infinity(given);
  expect(exitCode).toBe(2);
  expect(out + error).not.toContain('secret');
});

test('a wrong environment is refused with exit code 2', async () => {
  const { exitCode, error } = await infinity([], { environment: { INFINITY_BATCH_SIZE: 'many' } });
  expect({ exitCode, error }).toEqual({
    exitCode: 2,
    error: "ERROR: INFINITY_BATCH_SIZE: expected an integer of at least 1, got 'many'\n",
  });
});

test.each([
  ['address_unavailable', 1],
  ['invalid_settings', 2],
  ['model_unavailable', 3],
  ['invalid_checkpoint', 3],
] as const)('a start that fails with %s exits with %i and one line', async (code, exitCode) => {
  const failure = new ServiceError(code, 'what\nhappened', { cause: new Error('details') });
  const line = 'ERROR: what happened\n';
  const rejectedStart = await infinity([], { service: () => Promise.reject(failure) });
  expect(rejectedStart).toMatchObject({ exitCode, out: '', error: line });
  const rejectedDone = await infinity([], { service: async () => ({ done: Promise.reject(failure) }) });
  expect(rejectedDone).toMatchObject({ exitCode, out: '', error: line });
});

test('a fault of the program itself exits with 1 and one line without a stack trace', async () => {
  const { exitCode, error } = await infinity([], { service: () => Promise.reject(new TypeError('x is undefined')) });
  expect({ exitCode, error }).toEqual({ exitCode: 1, error: 'ERROR: internal error: TypeError: x is undefined\n' });
});

test('the exit code of a service that ended is that of the command', async () => {
  expect(await infinity([], { service: async () => ({ done: Promise.resolve(5) }) })).toMatchObject({ exitCode: 5 });
});

test('download takes ids as arguments, else those of the settings', async () => {
  const environment = { INFINITY_MODEL_ID: 'org/a;org/b', INFINITY_BATCH_SIZE: '8;4' };
  const named = await infinity(['download', 'org/c', '--revision', 'v1'], { environment });
  expect(named).toMatchObject({ exitCode: 0, out: 'org/c at v1\n', error: '' });
  const listed = await infinity(['download'], { environment });
  expect(listed.out).toBe('org/a at undefined\norg/b at undefined\n');
});

test.each([
  [['embed', 'a.csv', 'a.npy', '--text-field', 'body'], { kind: 'embed', textField: 'body' }, 'BAAI/bge-small-en-v1.5'],
  [
    ['rerank', 'a.csv', 'a.npy', '--raw-scores', '--model-id', 'org/r'],
    { kind: 'rerank', queryField: 'query', documentField: 'document', rawScores: true },
    'org/r',
  ],
] as const)('%j computes a file with one model', async (given, task, modelId) => {
  const request = { task, input: 'a.csv', output: 'a.npy', inputFormat: undefined, keep: ['id'], overwrite: false };
  expect(await infinity(given)).toMatchObject({ exitCode: 0, bulk: [[request, [modelId]]] });
});

test('compile loads models and serves none', async () => {
  const { exitCode, started } = await infinity(['compile', 'org/c', '--batch-size', '4']);
  expect(exitCode).toBe(0);
  expect(started).toMatchObject([{ preloadOnly: true, models: [{ modelId: 'org/c', batchSize: 4 }] }]);
});

test('models lists what is cached and removes what is named', async () => {
  expect(await infinity(['models'])).toMatchObject({ exitCode: 0, out: 'Models in /cache\n' });
  expect(await infinity(['models', 'remove', 'a/b', 'c'])).toMatchObject({ out: 'Removed a/b\nRemoved c\n' });
  expect(await infinity(['models', 'remove'])).toMatchObject({ exitCode: 2 });
});

test.each([
  ['warning', 0],
  ['problem', 1],
] as const)('doctor names what is wrong and how to mend it; with a %s it exits with %i', async (state, exitCode) => {
  const findings = [
    { state: 'ok', subject: 'Threads', found: '2 cores' },
    { state, subject: 'Memory', found: '1 kB', advice: 'raise the limit' },
  ] as const;
  const result = await infinity(['doctor'], { findings, environment: { INFINITY_PROT: '1' } });
  expect(result.exitCode).toBe(exitCode);
  expect(result.out.split('\n')).toEqual([
    'ok      Threads: 2 cores',
    `${state.toUpperCase()} Memory: 1 kB`,
    '        -> raise the limit',
    'WARNING Environment: INFINITY_PROT is not a setting; did you mean INFINITY_PORT?',
    '',
  ]);
});

test('the service is imported only when it is started, so that help and usage errors are quick', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
  const importing = sources.filter((name) =>
    /^import (?!type)[^;]*from '\.\.\/app\//m.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('the cache command shows what the vector cache holds, and empties it', async () => {
  const given = ['cache', 'stats', '--vector-cache-url', 'redis://host'];
  expect(await infinity(given)).toMatchObject({
    exitCode: 0,
    out: 'disk: 1200 entries, 1.8 of 1073.7 MB\nredis redis://host: 5 entries\n',
    started: [],
  });
  expect((await infinity(['cache', 'clear'])).out).toContain('disk: 0 entries, 0.0 of');
  expect(await infinity(['cache', 'drop'])).toMatchObject({ exitCode: 2, out: '' });
});

test.each([['download'], ['compile'], ['embed'], ['serve']])('%s takes a configuration file', async (command) => {
  expect((await infinity([command, '--help'])).out).toContain('--config');
});

test.each([['--embedding-dtype'], ['--request-timeout'], ['--max-client-batch-size'], ['--strict-model-names']])(
  'a command for files refuses %s, which would change nothing',
  async (flag) => {
    const { exitCode, error } = await infinity(['embed', 'in.jsonl', 'out.npy', flag]);
    expect(exitCode).toBe(2);
    expect(error).toContain(`unknown option '${flag}'`);
  },
);

test('bench gets its arguments as they are, its own --help among them, and ends as it ends', async () => {
  const { out, exitCode } = await infinity(['bench', '--task', 'embed', '--url=http://localhost:8080/v1', '--help']);
  expect([out, exitCode]).toEqual(['--task embed --url=http://localhost:8080/v1 --help', 3]);
});
