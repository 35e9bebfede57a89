import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { ServiceError } from '../contracts/errors.ts';
import { diskError } from './disk-error.ts';
import { errorCodeOf } from './error-code-of.ts';

/** A lock that was not renewed for so long belongs to a process that was killed. */
const STALE_MS = 10_000;
const RETRY_MS = 250;

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Called once when another process holds it. */
  readonly onWait: () => void;
}

/** Runs `act` in one process at a time. Python's own locks are of another kind; its partial files have other names. */
export async function withCacheLock<Result>(
  lockPath: string,
  act: () => Promise<Result>,
  options: LockOptions,
): Promise<Result> {
  const release = await acquire(lockPath, options);
  try {
    return await act();
  } finally {
    await release().catch(() => undefined);
  }
}

async function acquire(lockPath: string, { signal, onWait }: LockOptions): Promise<() => Promise<void>> {
  await mkdir(path.dirname(lockPath), { recursive: true }).catch((error: unknown) => {
    throw diskError(lockPath, error);
  });
  for (let tries = 0; ; tries += 1) {
    if (signal.aborted) throw new ServiceError('shutting_down', 'The download was stopped.');
    try {
      // A lock lost to a pause of the whole machine costs a second download; a blob still gets its name only when whole.
      return await lock(lockPath, { realpath: false, stale: STALE_MS, onCompromised: () => undefined });
    } catch (error) {
      if (errorCodeOf(error) !== 'ELOCKED') throw diskError(lockPath, error);
      if (tries === 0) onWait();
      await delay(RETRY_MS);
    }
  }
}
