import { abortReason } from '../scheduling/abort-reason.ts';

/**
 * What `promise` gives, or a rejection with the signal's reason as soon as it aborts; what comes of the promise then is
 * ignored.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortReason(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
