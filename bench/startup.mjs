// Start to ready, cold (nothing compiled yet) and warm, and the memory of the process tree with both bundled models.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeConnections } from './drive/post-json.mjs';
import { workload } from './load/workload.mjs';
import { percentile } from './measure/percentile.mjs';
import { treeMemoryMb } from './measure/process-memory.mjs';
import { clientOf } from './servers/client-of.mjs';
import { startServer } from './servers/own-server.mjs';

const WARM_STARTS = 5;
const home = mkdtempSync(path.join(tmpdir(), 'infinity-bench-'));
const environment = { INFINITY_HOME: home };

try {
  const cold = await startServer(environment);
  console.log(`cold start: listening after ${cold.startedMs.toFixed(0)} ms, ready after ${cold.readyMs.toFixed(0)} ms`);
  await cold.stop();

  const readyMs = [];
  for (let run = 0; run < WARM_STARTS; run += 1) {
    const warm = await startServer(environment);
    readyMs.push(warm.readyMs);
    await warm.stop();
  }
  console.log(
    `warm start: ready after ${readyMs.map((ms) => ms.toFixed(0)).join(', ')} ms (p50 ${percentile(readyMs, 0.5).toFixed(0)})`,
  );

  const server = await startServer(environment);
  console.log(`memory at ready: ${treeMemoryMb(server.pid).toFixed(0)} MB (sum of PSS)`);
  /** @type {import('./load/workload.mjs').Cell} */
  const cell = { task: 'embed', length: 512, items: 64, clients: 1 };
  const models = { embed: 'BAAI/bge-small-en-v1.5', rerank: '' };
  const client = clientOf({ url: server.url, apiKey: undefined, models }, 'float');
  for (const request of workload(cell, { count: 1, seed: 1 })) {
    const call = client.prepare(request);
    const from = performance.now();
    await call();
    const seconds = (performance.now() - from) / 1000;
    console.log(`64 x 512 tokens: ${seconds.toFixed(1)} s, ${(request.tokens / seconds).toFixed(0)} tokens/s`);
  }
  console.log(`memory after it: ${treeMemoryMb(server.pid).toFixed(0)} MB (sum of PSS)`);
  closeConnections();
  await server.stop();
} finally {
  rmSync(home, { recursive: true, force: true });
}
