import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { holds } from './content-digest.ts';
import { diskError, isDiskError, onDisk } from './disk-error.ts';
import type { HubClient, HubReply } from './hub-client.ts';
import type { HubSubject } from './hub-failure.ts';
import type { RepositoryFile } from './repository.ts';
import { connectionFailure, requestHub } from './request-hub.ts';
import { type RetryOptions, TemporaryFailure, withRetries } from './with-retries.ts';

export interface FileDownload {
  readonly client: HubClient;
  readonly subject: HubSubject;
  readonly commit: string;
  readonly file: RepositoryFile;
  /** Where the content goes. What an interrupted download left in `<blob>.incomplete` is continued. */
  readonly blob: string;
  readonly retry: RetryOptions;
  /** Bytes that are there now of this file, each time that changes. */
  readonly onBytes: (bytes: number) => void;
}

/** How often content that turns out wrong is fetched anew before the hub is taken to be at fault. */
const MAX_WRONG_CONTENTS = 2;

/**
 * Fetches one file's content. It gets its name only when its size and digest are those that the hub states, in one
 * step, so a blob that is there is whole.
 */
export async function downloadFile(download: FileDownload): Promise<void> {
  const { file, blob, subject } = download;
  const incomplete = `${blob}.incomplete`;
  await onDisk(incomplete, () => mkdir(path.dirname(blob), { recursive: true }));
  for (let wrong = 0; wrong < MAX_WRONG_CONTENTS; wrong += 1) {
    const reached = { bytes: 0 };
    await withRetries(() => fetchRest(download, incomplete, reached), download.retry);
    if (await holds(incomplete, file.bytes, file.digest)) {
      await onDisk(blob, () => rename(incomplete, blob));
      return;
    }
    await rm(incomplete, { force: true });
  }
  throw new ServiceError(
    'model_unavailable',
    `model '${subject.id}': expected ${file.digest.kind === 'git' ? 'git blob' : 'sha256'} ${file.digest.hex} for '${file.name}', ` +
      'got other content twice; a proxy on the way may change it',
  );
}

/** The furthest that a try has come: only what goes beyond it is a gain, or a server that always cuts would be asked for ever. */
interface Reached {
  bytes: number;
}

function isGain(reached: Reached, bytes: number): boolean {
  const gained = bytes > reached.bytes;
  reached.bytes = Math.max(reached.bytes, bytes);
  return gained;
}

/** Appends what is missing. */
async function fetchRest(
  { client, subject, commit, file, retry, onBytes }: FileDownload,
  incomplete: string,
  reached: Reached,
): Promise<void> {
  const start = await resumableBytes(incomplete, file.bytes);
  onBytes(start);
  if (start === file.bytes && start > 0) return;
  const url = `/${subject.id}/resolve/${commit}/${file.name.split('/').map(encodeURIComponent).join('/')}`;
  // `identity`: a range of a compressed stream would not be a range of the file.
  const headers = { 'accept-encoding': 'identity', ...(start > 0 ? { range: `bytes=${start}-` } : {}) };
  const reply = await requestHub(client, url, headers, subject, retry.signal);
  const offset = reply.statusCode === 206 ? start : 0;
  const received = await appendBody(reply, incomplete, offset, { file, subject, retry, onBytes, reached });
  if (offset + received < file.bytes) {
    const failure = connectionFailure(new Error('the transfer ended early'), subject, retry.signal);
    throw new TemporaryFailure(failure, { progressed: isGain(reached, offset + received) });
  }
}

/** Each piece is on disk before the next is taken, so that a broken transfer leaves all that came. */
async function appendBody(
  reply: HubReply,
  incomplete: string,
  offset: number,
  context: Pick<FileDownload, 'file' | 'subject' | 'retry' | 'onBytes'> & { readonly reached: Reached },
): Promise<number> {
  const { file, subject, retry, onBytes, reached } = context;
  let received = 0;
  let target: FileHandle | undefined;
  try {
    target = await open(incomplete, offset > 0 ? 'a' : 'w');
    const body: AsyncIterable<Buffer> = reply.body;
    for await (const chunk of body) {
      received += chunk.length;
      if (offset + received > file.bytes) {
        const expected = `expected ${file.bytes} bytes of '${file.name}'`;
        throw new ServiceError('model_unavailable', `model '${subject.id}': ${expected}, got more`);
      }
      await target.appendFile(chunk);
      onBytes(offset + received);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (isDiskError(error)) throw diskError(incomplete, error);
    const progressed = isGain(reached, offset + received);
    throw new TemporaryFailure(connectionFailure(error, subject, retry.signal), { progressed });
  } finally {
    await target?.close();
  }
  return received;
}

/** Bytes that a download before this one left; one that is longer than the file is thrown away. */
async function resumableBytes(incomplete: string, bytes: number): Promise<number> {
  try {
    const { size } = await stat(incomplete);
    if (size <= bytes) return size;
    await rm(incomplete, { force: true });
  } catch {
    // There is none.
  }
  return 0;
}
