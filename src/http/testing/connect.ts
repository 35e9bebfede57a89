import { duplexPair } from 'node:stream';
import type { FastifyInstance } from 'fastify';

export interface Connection {
  write(text: string): void;
  /** The client goes away. */
  destroy(): void;
  /** All that the server has sent, once it has closed its side. */
  readonly closed: Promise<string>;
}

/** A connection without a port: Node's HTTP server takes any duplex stream. Call after `server.ready()`. */
export function connect(server: FastifyInstance): Connection {
  const [client, far] = duplexPair();
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<string>((resolve) => {
    client.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    client.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  server.server.emit('connection', far);
  return {
    write: (text) => client.write(text),
    destroy: () => {
      client.destroy();
      far.destroy();
    },
    closed,
  };
}
