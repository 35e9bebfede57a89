import type { Dispatcher } from 'undici';
import type { HubEnvironment } from './hub-environment.ts';

/** From the hub to a mirror of a region and on to its content delivery network. */
const MAX_REDIRECTIONS = 5;
/** Guards the start where packets are dropped without an answer. */
const CONNECT_TIMEOUT_MS = 10_000;

export type HubReply = Dispatcher.ResponseData;

/** Requests to the hub, as huggingface_hub would make them. */
export interface HubClient {
  /** `url` is a path below the endpoint. Redirects are followed; the token never reaches another host. */
  get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HubReply>;
  close(): Promise<void>;
}

/** Proxies are taken from `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export async function createHubClient(
  { endpoint, token, timeoutMs }: HubEnvironment,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
): Promise<HubClient> {
  // Loaded when something is downloaded: a start from a warm cache needs none of it.
  const { EnvHttpProxyAgent, interceptors, request } = await import('undici');
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTIONS }));
  const common = { 'user-agent': 'infinity-ts', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  return {
    get: (url, headers, signal) =>
      request(`${endpoint}${url}`, { method: 'GET', headers: { ...common, ...headers }, dispatcher, signal }),
    close: () => agent.destroy(),
  };
}
