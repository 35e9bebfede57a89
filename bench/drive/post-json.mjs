import { Agent, request } from 'node:http';

/** Kept open between requests, as clients do. One per process: a connection belongs to one server anyway. */
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/**
 * Sends a body that is already JSON. The reply is not parsed: that would be the client's work, on the cores that are being
 * measured. Rejects on any status but 200.
 *
 * @param {string} url
 * @param {Uint8Array} body
 * @param {Readonly<Record<string, string>>} headers
 * @returns {Promise<Buffer>}
 */
export function postJson(url, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      },
      (reply) => {
        /** @type {Buffer[]} */
        const chunks = [];
        reply.on('data', (chunk) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          if (reply.statusCode === 200) resolve(bytes);
          else
            reject(new Error(`POST ${url}: expected status 200, got ${reply.statusCode}: ${bytes.subarray(0, 500)}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function closeConnections() {
  agent.destroy();
}
