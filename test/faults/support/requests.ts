import { expect } from 'vitest';
import { maxAbsDifference } from '../../e2e/support/max-abs-difference.ts';
import { getJson, postJson, type Reply } from '../../e2e/support/post-json.ts';
import { eventually } from '../../e2e/support/process-tree.ts';
import { type FaultyServer, wordFor } from './faulty-server.ts';

export const embed = (url: string, input: string | readonly string[], headers: Record<string, string> = {}) =>
  postJson(`${url}/v1/embeddings`, { model: 'model', input }, headers);

/** What `/v1/models` says of the queue of the first model. */
export async function queueOf(url: string): Promise<{ waiting: number; running: number }> {
  const { stats } = (await getJson(`${url}/v1/models`)).body.data[0];
  return { waiting: stats.queue_absolute, running: stats.results_pending };
}

/** Resolves when nothing waits or runs any more: whoever asked has been answered, and no room is held. */
export async function idle(url: string): Promise<void> {
  await eventually(async () => {
    const { waiting, running } = await queueOf(url);
    return waiting === 0 && running === 0;
  }, 20_000);
}

/**
 * Sends the texts, each as a request of its own, so that they wait at once while the lane is held up, then lets it go on: those
 * of one length share a run.
 */
export async function embedTogether(server: FaultyServer, url: string, texts: readonly string[]): Promise<Reply[]> {
  const wait = wordFor('wait');
  const holding = [embed(url, wait), embed(url, `${wait} ${wait}`)];
  await eventually(async () => (await queueOf(url)).running === 2, 20_000);
  const asked = texts.map((text) => embed(url, text));
  await eventually(async () => (await queueOf(url)).waiting === texts.length, 20_000);
  server.release();
  expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([200, 200]);
  return Promise.all(asked);
}

/** Whether the vectors of a reply are those that the text has alone. */
export async function expectRight(url: string, reply: Reply, text: string): Promise<void> {
  expect(reply.status).toBe(200);
  const alone = await embed(url, text);
  expect(alone.status).toBe(200);
  expect(maxAbsDifference(reply.body.data[0].embedding, alone.body.data[0].embedding)).toBeLessThan(1e-6);
}
