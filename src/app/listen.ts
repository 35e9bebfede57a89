import type { AddressInfo } from 'node:net';
import { ServiceError } from '../contracts/errors.ts';

/** The part of a Fastify server that is needed here. */
interface Listener {
  listen(address: { host: string; port: number }): Promise<unknown>;
  readonly server: { address(): AddressInfo | string | null };
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process is using it',
  EACCES: 'this user may not take it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name is not known',
};

/** Opens the socket. Returns its URL, with the port that was really taken (0 asks for any free one). */
export async function listen(server: Listener, { host, port }: { host: string; port: number }): Promise<string> {
  const shownHost = host.includes(':') ? `[${host}]` : host;
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ServiceError('address_unavailable', `Cannot listen on ${shownHost}:${port}: ${REASONS[code] ?? code}.`, {
      cause: error,
    });
  }
  const address = server.server.address();
  return `http://${shownHost}:${typeof address === 'object' && address !== null ? address.port : port}`;
}
