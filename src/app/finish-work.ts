import type { FastifyInstance } from 'fastify';
import type { Lane } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import type { RequestsInHand } from '../http/requests-in-hand.ts';

export interface WorkToFinish {
  readonly server: FastifyInstance;
  readonly requestsInHand: RequestsInHand;
  readonly lanes: ReadonlySet<Lane>;
  readonly graceS: number;
  readonly logger: Logger;
}

/** For replies to requests that were given up, which are a few bytes. */
const LAST_REPLIES_MS = 2_000;

/**
 * Lets the requests in hand finish, then closes the server and ends the lanes. New connections are taken until then, so that
 * new requests get their 503. What is not finished in time gets 503 too, and its runs are not waited for.
 */
export async function finishWork({ server, requestsInHand, lanes, graceS, logger }: WorkToFinish): Promise<void> {
  const none = requestsInHand.whenNone();
  const inTime = await Promise.race([none.then(() => true), afterMs(graceS * 1000).then(() => false)]);
  if (!inTime) {
    logger.warning(`Not all requests are finished after ${graceS} s; ending without the rest.`);
    requestsInHand.abandon();
    await Promise.race([none, afterMs(LAST_REPLIES_MS)]);
    server.server.closeAllConnections();
  }
  await server.close();
  const closed = Promise.all([...lanes].map((lane) => lane.close()));
  if (!inTime) for (const { pid } of lanes) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await closed;
}

/** Does not keep the process. */
export function afterMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
