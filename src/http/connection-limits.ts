export interface ConnectionLimits {
  readonly keepAliveTimeout: number;
  readonly handshakeTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly maxHeaderSize: number;
}

/**
 * Limits on connections that do nothing, in milliseconds. There is no limit on a silent socket as such (`connectionTimeout`
 * stays 0): a large request keeps its connection silent for as long as the model works.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  /** Longer than the 60 s of common load balancers, so that they close an idle connection first, never we under a request. */
  keepAliveTimeout: 75_000,
  /** From the connection to the end of the TLS handshake, which is two round trips. Guards against clients that never finish it. */
  handshakeTimeout: 30_000,
  /** From the first byte to the end of the headers: they are short. Guards against clients that trickle them. */
  headersTimeout: 60_000,
  /** From the first byte to the end of the body: 64 MiB take 5 minutes at 1.8 Mbit/s. Guards against trickled bodies. */
  requestTimeout: 300_000,
  /** How late the two above may be noticed; Node's own is 30 s. */
  connectionsCheckingInterval: 5_000,
  /** Of the whole head of a request, in bytes: 20 times what clients behind proxies send. Node's own, said here to be relied on. */
  maxHeaderSize: 16_384,
};
