import { ServiceError } from '../contracts/errors.ts';
import type { HubClient, HubReply } from './hub-client.ts';
import { describeConnectionFailure, describeRefusal, type HubSubject, isTemporaryStatus } from './hub-failure.ts';
import { parseRetryAfter, TemporaryFailure } from './with-retries.ts';

/**
 * One request; resolves with a reply of status 200 or 206 whose body has not been read. Throws a `TemporaryFailure` where
 * another try may help, else what the reply means.
 */
export async function requestHub(
  client: HubClient,
  url: string,
  headers: Readonly<Record<string, string>>,
  subject: HubSubject,
  signal: AbortSignal,
): Promise<HubReply> {
  let reply: HubReply;
  try {
    reply = await client.get(url, headers, signal);
  } catch (error) {
    throw new TemporaryFailure(connectionFailure(error, subject, signal));
  }
  const { statusCode: status } = reply;
  if (status === 200 || status === 206) return reply;
  // Read to its end, so that the connection can serve the next request.
  await reply.body.dump().catch(() => undefined);
  const errorCode = textOf(reply.headers['x-error-code']);
  const failure = describeRefusal(
    { status, errorCode, errorMessage: textOf(reply.headers['x-error-message']) },
    subject,
  );
  if (!isTemporaryStatus(status)) throw failure;
  throw new TemporaryFailure(failure, {
    retryAfterMs: parseRetryAfter(textOf(reply.headers['retry-after']), Date.now()),
  });
}

/** What a broken connection means; a request that was called off is none. */
export function connectionFailure(error: unknown, subject: HubSubject, signal: AbortSignal): ServiceError {
  if (signal.aborted) return new ServiceError('shutting_down', `The download of '${subject.id}' was stopped.`);
  return describeConnectionFailure(error, subject);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
