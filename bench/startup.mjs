// Start to ready, cold (nothing compiled yet) and warm, and the memory of the process tree with both bundled models.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { percentile } from './measure/percentile.mjs';
import { treeMemoryMb } from './measure/process-memory.mjs';
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
  const input = Array.from({ length: 64 }, (_, index) => `${index} ${'word '.repeat(600)}`);
  const from = performance.now();
  const reply = await fetch(`${server.url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'BAAI/bge-small-en-v1.5', input }),
  });
  const { usage } = await reply.json();
  const seconds = (performance.now() - from) / 1000;
  console.log(`64 x 512 tokens: ${seconds.toFixed(1)} s, ${(usage.total_tokens / seconds).toFixed(0)} tokens/s`);
  console.log(`memory after it: ${treeMemoryMb(server.pid).toFixed(0)} MB (sum of PSS)`);
  await server.stop();
} finally {
  rmSync(home, { recursive: true, force: true });
}
