import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import { bytesText } from '../observability/bytes-text.ts';
import type { Progress } from '../observability/create-progress.ts';
import { durationText } from '../observability/duration-text.ts';
import { isCommit, type RepositoryPaths, repositoryPaths, snapshotFile } from './cache-layout.ts';
import { withCacheLock } from './cache-lock.ts';
import { checkFreeDisk } from './check-free-disk.ts';
import { checkpointFiles, isWeightFile } from './checkpoint-files.ts';
import type { OnnxFileWish } from './choose-onnx-file.ts';
import { holds } from './content-digest.ts';
import { onDisk } from './disk-error.ts';
import { downloadFile } from './download-file.ts';
import { fetchRepository } from './fetch-repository.ts';
import { createHubClient, type HubClient } from './hub-client.ts';
import type { HubEnvironment } from './hub-environment.ts';
import type { HubSubject } from './hub-failure.ts';
import { linkSnapshotFile } from './link-snapshot-file.ts';
import { onnxFiles } from './onnx-files.ts';
import { readModuleRows } from './read-modules.ts';
import type { Repository, RepositoryFile } from './repository.ts';
import type { RetryOptions } from './with-retries.ts';

export interface DownloadOptions {
  readonly hub: HubEnvironment;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** The ready-made ONNX file that is to be served; left out, the checkpoint. */
  readonly onnxFile?: OnnxFileWish | undefined;
  /** Tries without any gain before it gives up. */
  readonly attempts?: number;
  /** How long a host may take to accept a connection. */
  readonly connectTimeoutMs?: number;
  /** Waits between tries; for tests. */
  readonly sleep?: RetryOptions['sleep'];
}

export interface DownloadedModel {
  /** The snapshot's folder. */
  readonly path: string;
  readonly commit: string;
}

/** With the waits between them, about a minute. */
const DEFAULT_ATTEMPTS = 7;
/** One connection rarely fills a fast line; more of them are what rate limits count. */
const PARALLEL_FILES = 4;

interface Download extends DownloadOptions {
  readonly client: HubClient;
  readonly subject: HubSubject;
  readonly paths: RepositoryPaths;
  readonly retry: RetryOptions;
  /** Aborted when one file cannot be had: the others are not needed then. */
  readonly failed: AbortController;
}

/**
 * Brings the files that serving a model needs into the cache that Python shares, and whatever of it is damaged there
 * anew. Rejects with a `ServiceError` that says what to do.
 */
export async function downloadModel(id: string, revision: string, options: DownloadOptions): Promise<DownloadedModel> {
  const { hub, logger } = options;
  const subject = { id, revision, endpoint: hub.endpoint, hasToken: hub.token !== undefined };
  const client = await createHubClient(hub, options.connectTimeoutMs);
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const retry: RetryOptions = {
    attempts: options.attempts ?? DEFAULT_ATTEMPTS,
    signal,
    onRetry: (failure, waitMs) =>
      logger.warning(`${failure.message}; trying again in ${durationText(Math.max(waitMs, 1000))}.`),
    ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
  };
  const paths = repositoryPaths(hub.cacheFolder, id);
  const download = { ...options, client, subject, paths, retry, failed };
  try {
    const repository = await fetchRepository(client, subject, retry);
    return await withCacheLock(paths.lock, () => fetchSnapshot(repository, download), {
      signal,
      onWait: () => logger.info(`Another process is downloading '${id}'; waiting for it.`),
    });
  } finally {
    await client.close();
  }
}

async function fetchSnapshot(repository: Repository, download: Download): Promise<DownloadedModel> {
  const { paths, subject, logger } = download;
  const snapshot = paths.snapshot(repository.commit);
  const files = await chooseFiles(repository, snapshot, download);
  await fetchFiles(files, repository, download);
  for (const file of files) await link(file, snapshot, paths);
  if (!isCommit(subject.revision)) await writeRef(paths.ref(subject.revision), repository.commit);
  logger.info(`'${subject.id}' is in the cache at commit ${repository.commit}.`);
  return { path: snapshot, commit: repository.commit };
}

/** `modules.json` is needed first: it names the folders whose files are needed too. */
async function chooseFiles(repository: Repository, snapshot: string, download: Download): Promise<RepositoryFile[]> {
  const { paths, subject } = download;
  const modulesFile = repository.files.find(({ name }) => name === 'modules.json');
  if (modulesFile !== undefined) {
    await fetchFiles([modulesFile], repository, download);
    await link(modulesFile, snapshot, paths);
  }
  const modulePaths = (modulesFile === undefined ? [] : await readModuleRows(snapshot)).map((module) => module.path);
  const all = repository.files.map(({ name }) => name);
  const { onnxFile } = download;
  const needed =
    onnxFile === undefined ? checkpointFiles(all, modulePaths) : onnxFiles(subject.id, all, modulePaths, onnxFile);
  const names = new Set(needed);
  const files = repository.files.filter(({ name }) => names.has(name));
  if (onnxFile !== undefined || files.some(({ name }) => isWeightFile(name))) return files;
  const others = repository.files
    .map(({ name }) => name)
    .filter((name) => /\.(?:onnx|gguf|h5|msgpack|ot|safetensors|bin)$/.test(name));
  const found = others.length === 0 ? 'no weights' : others.slice(0, 5).join(', ');
  throw new ServiceError(
    'model_unavailable',
    `model '${subject.id}': expected model.safetensors or pytorch_model.bin in the repository, got ${found}`,
  );
}

async function fetchFiles(files: readonly RepositoryFile[], repository: Repository, download: Download): Promise<void> {
  const { paths, subject, logger, progress, client, hub, retry, failed } = download;
  const missing: RepositoryFile[] = [];
  for (const file of files) {
    if (!(await holds(paths.blob(file.digest.hex), file.bytes, file.digest))) missing.push(file);
  }
  if (missing.length === 0) return;
  const done = new Map<string, number>();
  for (const { digest } of missing) done.set(digest.hex, await sizeOf(`${paths.blob(digest.hex)}.incomplete`));
  const total = sum(missing.map(({ bytes }) => bytes));
  const doneBefore = Math.min(sum(done.values()), total);
  await onDisk(paths.root, () => mkdir(paths.root, { recursive: true }));
  await checkFreeDisk(paths.root, total - doneBefore, subject.id);
  const startedMs = performance.now();
  const left = doneBefore > 0 ? `, ${bytesText(total - doneBefore)} of them still to come` : '';
  logger.info(
    `Downloading '${subject.id}' at commit ${repository.commit} from ${hub.endpoint}: ${missing.length} files, ${bytesText(total)}${left}.`,
  );
  const task = progress.start(`Downloading ${subject.id}`, total, doneBefore, bytesText);
  const limit = pLimit(PARALLEL_FILES);
  // Equal files are one blob.
  const byDigest = new Map(missing.map((file) => [file.digest.hex, file]));
  const downloads = [...byDigest.values()]
    .sort((a, b) => b.bytes - a.bytes)
    .map((file) =>
      limit(() => {
        const onBytes = (bytes: number) => {
          done.set(file.digest.hex, bytes);
          task.set(sum(done.values()));
        };
        const blob = paths.blob(file.digest.hex);
        return downloadFile({ client, subject, commit: repository.commit, file, blob, retry, onBytes });
      }),
    );
  try {
    await Promise.all(downloads);
  } catch (error) {
    // Nothing may still write when the lock is given back.
    failed.abort();
    await Promise.allSettled(downloads);
    throw error;
  } finally {
    task.end();
  }
  logger.info(`Downloaded '${subject.id}' in ${durationText(performance.now() - startedMs)}.`);
}

function link(file: RepositoryFile, snapshot: string, paths: RepositoryPaths): Promise<void> {
  return linkSnapshotFile(paths.blob(file.digest.hex), snapshotFile(snapshot, file.name));
}

async function writeRef(ref: string, commit: string): Promise<void> {
  await onDisk(ref, async () => {
    await mkdir(path.dirname(ref), { recursive: true });
    await writeFile(ref, commit);
  });
}

async function sizeOf(filePath: string): Promise<number> {
  try {
    return (await stat(filePath)).size;
  } catch {
    return 0;
  }
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
