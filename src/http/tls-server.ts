import type { Server as HttpServer, RequestListener } from 'node:http';
import { createServer, Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { ConnectionLimits } from './connection-limits.ts';

/** Who the server is, and which clients it lets in; each in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
  /** Authorities of which a client must have a certificate; clients need none when absent. */
  readonly clientAuthorities?: string | undefined;
}

/** For Node: what older versions than 1.2 offer has been broken. */
export function secureContextOf({ cert, key, passphrase, clientAuthorities }: TlsIdentity): SecureContextOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(clientAuthorities === undefined ? {} : { ca: clientAuthorities }),
  };
}

/** HTTP/1.1 over TLS, with the limits that Fastify sets on the servers that it makes itself. */
export function createTlsServer(
  identity: TlsIdentity,
  limits: ConnectionLimits,
  listener: RequestListener,
): HttpServer {
  const asksClients = identity.clientAuthorities !== undefined;
  const server = createServer(
    {
      ...secureContextOf(identity),
      requestCert: asksClients,
      rejectUnauthorized: asksClients,
      ...limits,
      requireHostHeader: false,
    },
    listener,
  );
  server.setTimeout(0);
  // Node passes them to who answers bytes that are no HTTP: that reply would wait for a handshake that never ends.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_, socket) => socket.destroy());
  return server;
}

/** New connections get the renewed identity, those that are there go on. Whether it asks clients for certificates stays. */
export function renewIdentity(server: HttpServer, identity: TlsIdentity): void {
  if (server instanceof Server) server.setSecureContext(secureContextOf(identity));
}
