// No text of a request names a file: whatever is sent as a model or as an input, the server's process opens nothing for it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { getJson } from './support/post-json.ts';
import { startForTest } from './support/start-for-test.ts';
import { MAIN } from './support/start-server.ts';

const golden = (name: string) => fileURLToPath(new URL(`../golden/public/${name}/model`, import.meta.url));
const REPORT = new URL('./support/report-files.mjs', import.meta.url).href;

const HOSTILE = [
  '/etc/passwd',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  './models',
  golden('bert-mean'),
  'file:///etc/passwd',
  'data:text/plain;base64,L2V0Yy9wYXNzd2Q=',
  'http://127.0.0.1:1/model',
  '\\\\host\\share',
  '/dev/zero',
  '/proc/self/environ',
  'org/model/../../etc',
  '%2e%2e%2fetc%2fpasswd',
  '$HOME/x',
  'nul\u0000byte',
  '__proto__',
];

interface Document {
  readonly paths: Readonly<Record<string, Record<string, Operation>>>;
}

interface Operation {
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { example?: object; examples?: Record<string, { value: object }> };
    };
  };
}

function examplesOf({ requestBody }: Operation): readonly object[] {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

/** Every text of a value, whatever field it is in. */
function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, text)]));
}

it('no request makes the server open a file that it names', async () => {
  const running = startForTest({
    command: [process.execPath, '--import', REPORT, MAIN],
    args: ['--model-id', golden('bert-mean'), '--served-model-name', 'a'],
    environment: { INFINITY_HOME: temporaryFolder() },
  });
  const url = await running.ready();
  expect(running.output()).toContain('FILE ');
  const { paths } = (await getJson<Document>(`${url}/openapi.json`)).body;
  const start = running.output().length;

  const statuses = new Set<number>();
  const send = async (route: string, options: RequestInit = {}) => {
    const reply = await fetch(url + route, options);
    statuses.add(reply.status);
    await reply.arrayBuffer();
  };
  const post = (route: string, body: unknown) =>
    send(route, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  let routes = 0;
  for (const [route, { post: operation }] of Object.entries(paths)) {
    if (operation === undefined) continue;
    routes += 1;
    for (const text of HOSTILE) {
      for (const example of examplesOf(operation)) {
        await post(route, { ...example, model: text });
        await post(route, withTexts(example, text));
        await post(route, { ...example, prompt_name: text, prompt: text, encoding_format: text });
      }
    }
  }
  for (const text of HOSTILE) {
    for (const route of ['/models/', '/v1/models/', '/']) await send(route + encodeURIComponent(text));
    await send(`/v1/models/${text.replace(/[^\x20-\x7e]/g, '')}`, {
      headers: { 'x-request-id': text.replace(/\0/, '') },
    });
  }
  expect(routes).toBeGreaterThan(15);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  const opened =
    running
      .output()
      .slice(start)
      .match(/^FILE .*$/gm) ?? [];
  // What it looks at by itself: how much memory its processes take.
  expect(opened.filter((line) => !/^FILE "\/(?:proc|sys)\/(?!self\/environ)/.test(line))).toEqual([]);

  // Of the documentation, the files of its package.
  const before = running.output().length;
  for (const text of ['swagger-ui.css', ...HOSTILE, '..%2f..%2fpackage.json', '%2e%2e/package.json', '/etc/passwd']) {
    await send(`/docs/static/${text.replace(/[^\x20-\x7e]/g, '')}`);
  }
  const served =
    running
      .output()
      .slice(before)
      .match(/^FILE .*$/gm) ?? [];
  expect(served.length).toBeGreaterThan(0);
  for (const line of served) {
    const file: string = JSON.parse(line.slice('FILE '.length));
    expect(path.normalize(file)).toMatch(/\/@fastify\/swagger-ui\/static\//);
  }
});
