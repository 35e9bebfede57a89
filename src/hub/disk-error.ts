import { ServiceError } from '../contracts/errors.ts';
import { errorCodeOf } from './error-code-of.ts';

/** Does something to the disk; what fails says so. */
export async function onDisk(target: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw diskError(target, error);
  }
}

/** Room comes when somebody, or this server's own caches, makes some. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

const DISK_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is read-only',
  EIO: 'the disk failed',
};

export function isDiskError(error: unknown): boolean {
  return errorCodeOf(error) in DISK_REASONS;
}

/** A cache folder that cannot take a download. */
export function diskError(target: string, error: unknown): ServiceError {
  const code = errorCodeOf(error);
  return new ServiceError(
    'model_unavailable',
    `'${target}' cannot be written: ${DISK_REASONS[code] ?? code}; HF_HOME or HF_HUB_CACHE names another folder`,
    { cause: error, canPass: FULL.has(code) },
  );
}
