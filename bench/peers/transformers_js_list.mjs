// As ./serve_lists.py, for transformers.js: `node transformers_js_list.mjs FOLDER_WITH_NODE_MODULES`.
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const BATCH = 32;
const installed = createRequire(path.join(path.resolve(process.argv[2] ?? '.'), 'package.json'));
const { env, pipeline } = await import(pathToFileURL(installed.resolve('@huggingface/transformers')).href);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { folder, texts } = JSON.parse((await lines.next()).value);
env.allowRemoteModels = false;
env.localModelPath = path.dirname(folder);
const extract = await pipeline('feature-extraction', path.basename(folder), { dtype: 'fp32', device: 'cpu' });

/** @param {readonly string[]} list */
async function embed(list) {
  const vectors = [];
  for (let start = 0; start < list.length; start += BATCH) {
    const batch = await extract(list.slice(start, start + BATCH), { pooling: 'cls', normalize: true });
    vectors.push(...batch.tolist());
  }
  return vectors;
}

await embed(texts.slice(0, 8));
console.log('{}');
for await (const _ of lines) {
  const from = performance.now();
  const vectors = await embed(texts);
  console.log(JSON.stringify({ seconds: (performance.now() - from) / 1000, first: vectors[0], count: vectors.length }));
}
