// Who takes part: our server unless --alone, the peer at --url, and the bare runs of each task's model.
import { openBareRuns } from './limit/bare-runs.mjs';
import { clientOf } from './servers/client-of.mjs';
import { startServer } from './servers/own-server.mjs';
import { openPeer } from './servers/peer-server.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {ReturnType<typeof clientOf>} client
 * @property {number | undefined} pid
 * @property {number | undefined} readyMs from its start
 * @property {number | undefined} [peakMb] known at the end: memory of its process tree
 */

/** @param {Options} options */
export async function openContestants({ own, peer, limit, tasks, models, dtype, encoding }) {
  /** @type {(() => Promise<unknown>)[]} */
  const endings = [];
  /** @type {Contestant[]} */
  const servers = [];
  /** @type {Map<string, Awaited<ReturnType<typeof openBareRuns>>>} */
  const bareRuns = new Map();
  const close = async () => {
    for (const end of endings.reverse()) await end();
  };

  try {
    if (own) {
      // Before the server starts: it then finds its graphs in the cache, and its time to ready is that of a warm start.
      for (const task of limit ? tasks : []) {
        const bare = await openBareRuns(models[task], dtype);
        endings.push(bare.close);
        bareRuns.set(task, bare);
      }
      const flags = tasks.flatMap((task) => ['--model-id', models[task], '--served-model-name', models[task]]);
      const server = await startServer({}, [...flags, '--dtype', dtype]);
      endings.push(server.stop);
      const client = clientOf({ url: server.url, apiKey: undefined, models }, encoding);
      servers.push({ name: 'infinity-ts', client, pid: server.pid, readyMs: server.readyMs });
    }
    if (peer !== undefined) {
      const { url, apiKey, model, name } = peer;
      const server = await openPeer(peer);
      endings.push(server.stop);
      const peerModels = model === undefined ? models : { embed: model, rerank: model };
      const client = clientOf({ url, apiKey, models: peerModels }, encoding);
      servers.push({ name, client, pid: server.pid, readyMs: server.readyMs });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { servers, bareRuns, close };
}
