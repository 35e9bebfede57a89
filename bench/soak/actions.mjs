// What a client of a soak does next: something right, something wrong, or it goes away in the middle.
import { connect } from 'node:net';
import { isSame } from './references.mjs';
import { sendJson } from './send-json.mjs';

/** @typedef {'right' | 'refused' | 'late' | 'left'} Outcome as it should be; everything else is thrown */

/**
 * @typedef {object} World
 * @property {string} url
 * @property {{ embed: string, rerank: string }} models
 * @property {import('./references.mjs').References} references
 * @property {() => number} random
 */

/**
 * @typedef {object} Action
 * @property {string} name
 * @property {number} weight how often, beside the others
 * @property {(world: World, headers: Readonly<Record<string, string>>) => Promise<Outcome>} run
 */

/** @param {number} status @param {any} body */
function unexpected(status, body) {
  return Object.assign(new Error(`status ${status}: ${JSON.stringify(body).slice(0, 300)}`), {
    status,
    code: body?.error?.code ?? body?.error_type,
  });
}

/** @param {World} world @param {number} count */
function pick({ references, random }, count) {
  return Array.from({ length: count }, () => Math.floor(random() * references.texts.length));
}

/** @param {boolean} holds @param {string} what */
function mustHold(holds, what) {
  if (!holds) throw new Error(`a wrong reply: ${what}`);
}

/**
 * @param {string} name
 * @param {number} weight
 * @param {{ most: number, format: 'float' | 'base64', keepAlive: boolean }} options
 * @returns {Action}
 */
function embed(name, weight, { most, format, keepAlive }) {
  return {
    name,
    weight,
    async run(world, headers) {
      const picked = pick(world, 1 + Math.floor(world.random() * most));
      const input = picked.map((index) => world.references.texts[index]);
      const request = { model: world.models.embed, input, encoding_format: format };
      const { status, body } = await sendJson(`${world.url}/v1/embeddings`, request, { headers, keepAlive });
      if (status !== 200) throw unexpected(status, body);
      mustHold(body.data.length === picked.length, 'another number of vectors');
      for (const [row, index] of picked.entries()) {
        const { embedding } = body.data[row];
        const vector = format === 'float' ? embedding : floatsOf(embedding);
        mustHold(isSame(vector, world.references.vectors[index]), `another vector of text ${index}`);
      }
      return 'right';
    },
  };
}

/** @param {string} base64 */
function floatsOf(base64) {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** @type {Action} */
const rerank = {
  name: 'rerank, 2 to 12 documents',
  weight: 6,
  async run(world, headers) {
    const query = Math.floor(world.random() * world.references.queries.length);
    const picked = pick(world, 2 + Math.floor(world.random() * 11));
    const documents = picked.map((index) => world.references.texts[index]);
    const request = { model: world.models.rerank, query: world.references.queries[query], documents, raw_scores: true };
    const { status, body } = await sendJson(`${world.url}/rerank`, request, { headers });
    if (status !== 200) throw unexpected(status, body);
    const expected = picked.map((index) => world.references.scores[query]?.[index] ?? Number.NaN);
    const actual = new Array(picked.length).fill(Number.NaN);
    for (const { index, relevance_score: score } of body.results) actual[index] = score;
    mustHold(isSame(actual, expected), `other scores of query ${query}`);
    return 'right';
  },
};

/** @type {Action} */
const tei = {
  name: 'TEI /embed',
  weight: 3,
  async run(world, headers) {
    const [index = 0] = pick(world, 1);
    const request = { inputs: world.references.texts[index], model: world.models.embed };
    const { status, body } = await sendJson(`${world.url}/embed`, request, { headers });
    if (status !== 200) throw unexpected(status, body);
    mustHold(isSame(body[0], world.references.vectors[index]), `another vector of text ${index} on /embed`);
    return 'right';
  },
};

/** @type {readonly (readonly [route: string, body: unknown, status: number])[]} */
const WRONG = [
  ['/v1/embeddings', '{"input": "cut off', 400],
  ['/v1/embeddings', { input: 5 }, 400],
  ['/v1/embeddings', { input: 'x', model: 'nobody/knows' }, 404],
  ['/v1/embeddings', { input: [[1, 2, 999_999_999]] }, 400],
  ['/v1/rerank', { query: 'q' }, 400],
  ['/v1/nothing', {}, 404],
];

/** @type {Action} */
const wrong = {
  name: 'a wrong request',
  weight: 2,
  async run(world, headers) {
    const [route, body, expected] = WRONG[Math.floor(world.random() * WRONG.length)] ?? ['/', {}, 404];
    const model = typeof body === 'object' && route !== '/v1/rerank' ? world.models.embed : world.models.rerank;
    const request = typeof body === 'string' ? body : { model, ...Object(body) };
    const { status, body: reply } = await sendJson(world.url + route, request, { headers });
    if (status !== expected) throw unexpected(status, reply);
    return 'refused';
  },
};

/** @type {Action} */
const late = {
  name: 'a deadline of 50 ms',
  weight: 2,
  async run(world, headers) {
    const input = pick(world, 8).map((index) => world.references.texts[index]);
    const { status, body } = await sendJson(
      `${world.url}/v1/embeddings`,
      { model: world.models.embed, input },
      { headers: { ...headers, 'x-request-timeout': '0.05' } },
    );
    if (status === 504) return 'late';
    if (status !== 200) throw unexpected(status, body);
    return 'right';
  },
};

/** @type {Action} */
const cancel = {
  name: 'a client that cancels',
  weight: 3,
  async run(world, headers) {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), world.random() * 200);
    const input = pick(world, 16).map((index) => world.references.texts[index]);
    const request = { model: world.models.embed, input };
    try {
      const { status, body } = await sendJson(`${world.url}/v1/embeddings`, request, {
        headers,
        signal: leaving.signal,
        keepAlive: false,
      });
      if (status !== 200) throw unexpected(status, body);
      return 'right';
    } catch (error) {
      if (leaving.signal.aborted) return 'left';
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },
};

/** @type {Action} */
const vanish = {
  name: 'a client that goes in the middle of its body',
  weight: 2,
  run: (world) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      const socket = connect(Number(port), hostname);
      socket.on('error', reject);
      socket.write(
        `POST /v1/embeddings HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"input": "`,
      );
      setTimeout(() => {
        socket.destroy();
        resolve('left');
      }, world.random() * 100);
    }),
};

/** @type {readonly Action[]} */
export const ACTIONS = [
  embed('embeddings, 1 to 8 texts', 10, { most: 8, format: 'float', keepAlive: true }),
  embed('embeddings in base64, 1 to 4 texts', 6, { most: 4, format: 'base64', keepAlive: false }),
  embed('embeddings, up to 64 texts', 1, { most: 64, format: 'base64', keepAlive: true }),
  rerank,
  tei,
  wrong,
  late,
  cancel,
  vanish,
];

/** @param {() => number} random */
export function nextAction(random) {
  const total = ACTIONS.reduce((sum, { weight }) => sum + weight, 0);
  let at = random() * total;
  for (const action of ACTIONS) {
    at -= action.weight;
    if (at < 0) return action;
  }
  throw new Error('weights: expected their sum to be above every point in it');
}
