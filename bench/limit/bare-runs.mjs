// The limit: the same ids in ONNX Runtime runs of one length, in a process that does nothing else meanwhile.
import { openSession } from '../../dist/runtime/open-session.js';
import { packRun } from '../../dist/scheduling/pack-run.js';
import { openTokenizer } from '../../dist/tokenization/open-tokenizer.js';
import { compiledModel, machine } from './compiled-model.mjs';
import { groupByLength } from './group-by-length.mjs';

/** @typedef {import('../load/workload.mjs').Request} Request */

/** A pass takes the first requests up to so many tokens: one to three seconds. */
const TOKENS_A_PASS = 8_192;
const MAX_RUN_TOKENS = 4_096;
const RUN_SIZES = [32, 8, 2];

/**
 * Opens the graph that the server runs, in this process: its session lives until `close`.
 *
 * @param {string} modelId
 * @param {string} dtype
 */
export async function openBareRuns(modelId, dtype) {
  const { folder, compiled } = await compiledModel(modelId, dtype);
  const tokenizer = await openTokenizer(folder, compiled);
  const session = await openSession(compiled.graphPath, { threads: machine.threads });

  /** @param {readonly Request[]} requests */
  async function encode(requests) {
    const encodings = [];
    for (const { query, texts, tokens } of requests) {
      const own = query === undefined ? await tokenizer.encode(texts) : await tokenizer.encodePairs(query, texts);
      const actual = own.reduce((sum, { ids }) => sum + ids.length, 0);
      if (actual !== tokens) throw new Error(`${modelId}: expected a request of ${tokens} tokens, got ${actual}`);
      encodings.push(...own);
    }
    return encodings;
  }

  /**
   * Finds how many items a run should hold to be fastest on these ids.
   *
   * @param {readonly Request[]} requests
   */
  async function fastestPass(requests) {
    const encodings = await encode(requests);
    const tokens = encodings.reduce((sum, { ids }) => sum + ids.length, 0);

    /** @param {number} maxItems */
    const passOf = (maxItems) => {
      const groups = groupByLength(encodings, { maxItems, maxTokens: MAX_RUN_TOKENS });
      const runs = groups.map((group) => packRun(group, compiled.inputs));
      return async () => {
        const from = performance.now();
        for (const inputs of runs) await session.run(inputs);
        return { tokens, seconds: (performance.now() - from) / 1000 };
      };
    };

    const passes = RUN_SIZES.map(passOf);
    // The first pass meets cold caches.
    await passes[0]?.();
    const tried = [];
    for (const pass of passes) tried.push((await pass()).seconds);
    const best = passes[tried.indexOf(Math.min(...tried))];
    if (best === undefined) throw new Error('no pass was tried');
    return best;
  }

  /** @type {Map<string, ReturnType<typeof fastestPass>>} */
  const known = new Map();
  return {
    /**
     * @param {readonly Request[]} workload
     * @returns a pass over the first requests; each call runs it once
     */
    prepare(workload) {
      const requests = firstRequests(workload);
      // Cells that differ only in their clients begin with the same requests.
      const key = JSON.stringify(requests);
      const pass = known.get(key) ?? fastestPass(requests);
      known.set(key, pass);
      return pass;
    },
    close: () => session.dispose(),
  };
}

/** @param {readonly Request[]} workload */
function firstRequests(workload) {
  let tokens = 0;
  return workload.filter((request, index) => {
    tokens += request.tokens;
    return index === 0 || tokens <= TOKENS_A_PASS;
  });
}
