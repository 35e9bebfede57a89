// Libraries without a server: one list of mixed texts, batch 32, each library in its own process, ours over HTTP with the
// list as one request. `npm run bench:lists -- --folder FOLDER --python PATH --transformers-js FOLDER`; docs/benchmarks.md.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { closeConnections } from './drive/post-json.mjs';
import { workload } from './load/workload.mjs';
import { median, noise } from './measure/percentile.mjs';
import { openListPeer } from './peers/list-peer.mjs';
import { short } from './report/result-rows.mjs';
import { table } from './report/table.mjs';
import { clientOf } from './servers/client-of.mjs';
import { startServer } from './servers/own-server.mjs';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    python: { type: 'string' },
    'transformers-js': { type: 'string' },
    only: { type: 'string', default: 'transformers.js,fastembed,sentence-transformers' },
    texts: { type: 'string', default: '128' },
    rounds: { type: 'string', default: '3' },
  },
});
const MODEL = 'BAAI/bge-small-en-v1.5';
const folder = path.resolve(values.folder ?? '');
if (values.folder === undefined || !existsSync(path.join(folder, 'onnx/model.onnx'))) {
  throw new Error(`--folder: expected a folder of ${MODEL} with onnx/model.onnx, got '${values.folder}'`);
}

const [request] = workload({ task: 'embed', length: 'mixed', items: Number(values.texts) }, { count: 1, seed: 1 });
if (request === undefined) throw new Error('no request');
const { texts, tokens } = request;
const script = (/** @type {string} */ name) => fileURLToPath(new URL(`./peers/${name}`, import.meta.url));

/** @type {readonly { name: string, program: string | undefined, args: readonly string[] }[]} */
const known = [
  {
    name: 'transformers.js',
    program: values['transformers-js'] === undefined ? undefined : process.execPath,
    args: [script('transformers_js_list.mjs'), values['transformers-js'] ?? ''],
  },
  { name: 'fastembed', program: values.python, args: [script('fastembed_list.py')] },
  { name: 'sentence-transformers', program: values.python, args: [script('sentence_transformers_list.py')] },
];

const server = await startServer({}, ['--model-id', MODEL, '--served-model-name', MODEL]);
/** @type {(() => Promise<unknown>)[]} */
const endings = [server.stop];
try {
  const models = { embed: MODEL, rerank: '' };
  const call = clientOf({ url: server.url, apiKey: undefined, models }, 'float').prepare(request);
  const own = {
    name: 'infinity-ts',
    async embed() {
      const from = performance.now();
      const reply = await call();
      const seconds = (performance.now() - from) / 1000;
      return {
        seconds,
        first: /** @type {readonly number[]} */ (JSON.parse(reply.toString('utf8')).data[0].embedding),
      };
    },
  };
  await own.embed();
  const contestants = [own];
  for (const { name, program, args } of known) {
    if (program === undefined || !values.only.split(',').includes(name)) continue;
    const peer = await openListPeer({ name, program, args, folder, texts });
    endings.push(peer.stop);
    contestants.push(peer);
  }

  const results = contestants.map((contestant) => ({ contestant, rates: /** @type {number[]} */ ([]), distance: 0 }));
  /** @type {readonly number[]} */
  let ours = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const result of results) {
      const { seconds, first } = await result.contestant.embed();
      if (result.contestant === own) ours = first;
      result.rates.push(tokens / seconds);
      // To stderr: stdout is the table alone.
      console.error(`round ${round + 1}: ${result.contestant.name} ${seconds.toFixed(1)} s`);
      result.distance = Math.max(...first.map((value, index) => Math.abs(value - (ours[index] ?? 0))));
    }
  }
  const ownRate = median(results[0]?.rates ?? []);
  console.log(`${texts.length} mixed texts as one list, ${tokens} tokens, ${values.rounds} rounds in turns`);
  const rows = results.map(({ contestant: { name }, rates, distance }) => {
    const rate = median(rates);
    const spread = `${(100 * noise(rates)).toFixed(0)} %`;
    return [name, short(rate), spread, `${(ownRate / rate).toFixed(2)} x`, distance.toExponential(0)];
  });
  console.log(table(['library', 'tokens/s', 'noise', 'ours against it', 'largest difference'], rows));
} finally {
  closeConnections();
  for (const end of endings.reverse()) await end();
}
