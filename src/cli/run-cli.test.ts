import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { SETTING_ENTRIES } from '../settings/schema.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { environmentNameOf, flagOf } from '../settings/setting-entry.ts';
import { runCli } from './run-cli.ts';

interface Invocation {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
  readonly started: readonly ServeSettings[];
}

interface World {
  readonly environment?: Readonly<Record<string, string>>;
  /** What the service does once it was started; ends with 0 when left out. */
  readonly service?: () => Promise<{ readonly done: Promise<number> }>;
}

async function infinity(given: readonly string[], { environment = {}, service }: World = {}): Promise<Invocation> {
  let out = '';
  let error = '';
  const started: ServeSettings[] = [];
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
  });
  return { exitCode, out, error, started };
}

test.each([[[]], [['serve']], [['v2']]])('the command %j starts the server, quietly', async (given) => {
  const { started, ...rest } = await infinity(given);
  expect(rest).toEqual({ exitCode: 0, out: '', error: '' });
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
    { models: [{ modelId: 'a' }, { modelId: 'b' }], port: 82, host: '::1', apiKey: '-k=1', bodyLimitBytes: 9 },
  ]);
});

test('every setting has a flag that the parser knows', async () => {
  for (const entry of SETTING_ENTRIES) {
    const { error } = await infinity([flagOf(entry)]);
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
  expect(await infinity(given)).toEqual({ exitCode: 2, out: '', error, started: [] });
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

test('the service is imported only when it is started, so that help and usage errors are quick', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
  const importing = sources.filter((name) => /from '\.\.\/app\//.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(importing).toEqual([]);
});
