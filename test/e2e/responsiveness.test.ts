// What a user of a quiet machine can expect. Runs when no other test does: vitest.config.ts.
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { longRequest, SHORT_REQUEST } from './support/long-request.ts';
import { postJson } from './support/post-json.ts';
import { treePssBytes } from './support/process-tree.ts';
import { startForTest } from './support/start-for-test.ts';

const HEALTH_LIMIT_MS = 50;
/** All cores of the machine, as without settings. */
const ALL_CORES = { INFINITY_LANES: '', INFINITY_THREADS: '' };

/** Asks for /health again and again until `work` is done; returns the time of each answer in ms. */
async function healthTimesDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = [];
  let working = true;
  const finished = work.finally(() => {
    working = false;
  });
  // When an expectation below fails first, nobody waits for the work any more.
  finished.catch(() => undefined);
  while (working) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    timesMs.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await finished;
  return timesMs;
}

function report(what: string, timesMs: number[]): number {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  console.log(`/health ${what}: ${sorted.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
  return sorted.at(-1) ?? 0;
}

// The limits are for a quiet machine: what else runs on its two cores may break one try, not three.
describe('the server process stays responsive', { retry: 2 }, () => {
  it('answers /health while it starts from nothing: listening, compiling, opening sessions [TEI#553]', async () => {
    const home = temporaryFolder();
    const startedMs = performance.now();
    const server = startForTest({ environment: { ...ALL_CORES, INFINITY_HOME: home } });
    const url = await server.url();
    const listeningMs = performance.now() - startedMs;
    const early = await fetch(`${url}/ready`);
    expect(early.status).toBe(503);
    const refused = await postJson(`${url}/v1/embeddings`, SHORT_REQUEST);
    expect(refused.status).toBe(503);
    expect(refused.body.error.code).toBe('model_loading');
    const timesMs = await healthTimesDuring(url, server.ready());
    const readyMs = performance.now() - startedMs;
    console.log(
      `cold start: listening after ${listeningMs.toFixed(0)} ms, ready after ${readyMs.toFixed(0)} ms (limit 8000)`,
    );
    expect(readyMs).toBeLessThan(8000);
    expect(report('during a cold start', timesMs)).toBeLessThan(HEALTH_LIMIT_MS);

    expect(await server.stop()).toBe(0);
    const warmMs = performance.now();
    const again = startForTest({ environment: { ...ALL_CORES, INFINITY_HOME: home } });
    await again.ready();
    const tookMs = performance.now() - warmMs;
    console.log(`warm start: ready after ${tookMs.toFixed(0)} ms (limit 2500)`);
    expect(tookMs).toBeLessThan(2500);
  });

  it('answers /health within 50 ms during a request of 64 texts of 512 tokens, in bounded memory', async () => {
    const server = startForTest({ environment: ALL_CORES });
    const url = await server.ready();
    const readyMb = treePssBytes(server.pid) / 1e6;
    const reply = postJson(`${url}/v1/embeddings`, longRequest(64));
    const timesMs = await healthTimesDuring(url, reply);
    expect((await reply).body.usage.total_tokens).toBe(64 * 512);
    const afterMb = treePssBytes(server.pid) / 1e6;
    console.log(
      `memory (sum of PSS): ${readyMb.toFixed(0)} MB at ready (limit 700), ${afterMb.toFixed(0)} MB after (limit 1000)`,
    );
    expect(report('during 64 x 512 tokens', timesMs)).toBeLessThan(HEALTH_LIMIT_MS);
    expect(readyMb).toBeLessThan(700);
    expect(afterMb).toBeLessThan(1000);
  });
});
