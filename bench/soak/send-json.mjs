import { Agent, request } from 'node:http';

/** Connections that stay, beside those that do not: clients are of both kinds. None waits for another's. */
const kept = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/**
 * Resolves with any status; rejects when the connection breaks or the signal ends it.
 *
 * @param {string} url
 * @param {unknown} body text as it is, anything else as JSON
 * @param {{ headers?: Readonly<Record<string, string>>, signal?: AbortSignal, keepAlive?: boolean }} [options]
 * @returns {Promise<{ status: number, body: any, headers: import('node:http').IncomingHttpHeaders }>}
 */
export function sendJson(url, body, { headers = {}, signal, keepAlive = true } = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: keepAlive ? kept : false,
      headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (reply) => {
      /** @type {Buffer[]} */
      const parts = [];
      reply.on('data', (part) => parts.push(part));
      reply.on('error', reject);
      reply.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        try {
          resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text), headers: reply.headers });
        } catch {
          reject(new Error(`expected JSON, got ${text.slice(0, 200)}`));
        }
      });
    });
    outgoing.end(bytes);
  });
}

export function closeKept() {
  kept.destroy();
}
