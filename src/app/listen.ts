import { existsSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';

/** The part of a Fastify server that is needed here. */
interface Listener {
  listen(address: { host: string; port: number } | { path: string }): Promise<unknown>;
  readonly server: { address(): AddressInfo | string | null };
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process is using it',
  EACCES: 'this user may not take it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name is not known',
};

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Instead of host and port. */
  readonly unixSocket: string | undefined;
  /** Whether it speaks TLS. */
  readonly isSecure: boolean;
}

/** Opens the socket. Returns its URL, with the port that was really taken (0 asks for any free one). */
export async function listen(server: Listener, { host, port, unixSocket, isSecure }: ListenAddress): Promise<string> {
  if (unixSocket !== undefined) {
    // The system would say that this user may not take it.
    if (!existsSync(path.dirname(unixSocket))) {
      throw new ServiceError('address_unavailable', `Cannot listen on ${unixSocket}: there is no such folder.`);
    }
    await removeAbandonedSocket(unixSocket);
    await opened(() => server.listen({ path: unixSocket }), unixSocket);
    return `unix:${unixSocket}`;
  }
  const shownHost = host.includes(':') ? `[${host}]` : host;
  await opened(() => server.listen({ host, port }), `${shownHost}:${port}`);
  const address = server.server.address();
  return `${isSecure ? 'https' : 'http'}://${shownHost}:${typeof address === 'object' && address !== null ? address.port : port}`;
}

async function opened(listenNow: () => Promise<unknown>, where: string): Promise<void> {
  try {
    await listenNow();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ServiceError('address_unavailable', `Cannot listen on ${where}: ${REASONS[code] ?? code}.`, {
      cause: error,
    });
  }
}

/** A server that was killed leaves its socket behind, on which nobody could listen again. */
async function removeAbandonedSocket(filePath: string): Promise<void> {
  if (statSync(filePath, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const isAnswered = await new Promise<boolean>((resolve) => {
    const socket = connect(filePath);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (!isAnswered) rmSync(filePath, { force: true });
}
