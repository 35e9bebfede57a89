import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonValue } from '../contracts/json.ts';
import { isCommit } from './cache-layout.ts';
import type { HubClient } from './hub-client.ts';
import type { HubSubject } from './hub-failure.ts';
import type { Repository, RepositoryFile } from './repository.ts';
import { connectionFailure, requestHub } from './request-hub.ts';
import { type RetryOptions, TemporaryFailure, withRetries } from './with-retries.ts';

/** Guards memory against an endpoint that is no hub. A repository of 100,000 files is described in 20 MB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Asks the hub what a revision is: its commit, and the size and digest of each file. One request. */
export async function fetchRepository(
  client: HubClient,
  subject: HubSubject,
  retry: RetryOptions,
): Promise<Repository> {
  const url = `/api/models/${subject.id}/revision/${encodeURIComponent(subject.revision)}?blobs=true`;
  const text = await withRetries(async () => {
    const reply = await requestHub(client, url, {}, subject, retry.signal);
    try {
      return await readText(reply.body, subject);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new TemporaryFailure(connectionFailure(error, subject, retry.signal));
    }
  }, retry);
  return parseRepository(text, subject);
}

/** Leaving the loop ends the connection. */
async function readText(body: AsyncIterable<Uint8Array>, { id, endpoint }: HubSubject): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_REPLY_BYTES) {
      throw new ServiceError(
        'model_unavailable',
        `model '${id}': expected a description of at most ${MAX_REPLY_BYTES} bytes from ${endpoint}, got more; is HF_ENDPOINT a hub?`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseRepository(text: string, { id, endpoint }: HubSubject): Repository {
  const value = parseJson(text);
  const commit = isJsonObject(value) ? value.sha : undefined;
  const rows = isJsonObject(value) ? value.siblings : undefined;
  if (typeof commit !== 'string' || !isCommit(commit) || !Array.isArray(rows)) {
    throw new ServiceError(
      'model_unavailable',
      `model '${id}': expected the commit and the files of the repository from ${endpoint}, got another answer; is HF_ENDPOINT a hub?`,
    );
  }
  return { id, commit, files: rows.map((row) => parseFile(row, id)) };
}

function parseFile(row: JsonValue, id: string): RepositoryFile {
  if (isJsonObject(row) && typeof row.rfilename === 'string') {
    const { rfilename: name, size, blobId, lfs } = row;
    if (isJsonObject(lfs) && typeof lfs.sha256 === 'string' && /^[0-9a-f]{64}$/.test(lfs.sha256)) {
      if (typeof lfs.size === 'number') return { name, bytes: lfs.size, digest: { kind: 'sha256', hex: lfs.sha256 } };
    }
    if (typeof size === 'number' && typeof blobId === 'string' && isCommit(blobId)) {
      return { name, bytes: size, digest: { kind: 'git', hex: blobId } };
    }
    throw new ServiceError(
      'model_unavailable',
      `model '${id}': expected size and digest of '${name}' from the hub, got none`,
    );
  }
  throw new ServiceError('model_unavailable', `model '${id}': expected file names from the hub, got another answer`);
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
