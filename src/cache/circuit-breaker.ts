/** Failures in a row that open it: one lost connection alone is no outage. */
const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** `trial`: the thing is not relied upon, but is to be tried once in the background. */
export type Permission = 'use' | 'bypass' | 'trial';

export interface CircuitBreaker {
  ask(): Permission;
  /** What was permitted has worked. Returns true when it had been bypassed until now. */
  succeeded(permission: Permission): boolean;
  /** What was permitted has failed. Returns true when it is bypassed from now on. */
  failed(permission: Permission): boolean;
}

/** Decides whether something outside is used, by how it answered lately. Pauses grow from one second to thirty. */
export function createCircuitBreaker(nowMs: () => number): CircuitBreaker {
  let failures = 0;
  let pauseMs = FIRST_PAUSE_MS;
  /** `undefined` while it is used. */
  let retryAtMs: number | undefined;
  let trying = false;
  return {
    ask() {
      if (retryAtMs === undefined) return 'use';
      if (trying || nowMs() < retryAtMs) return 'bypass';
      trying = true;
      return 'trial';
    },
    succeeded(permission) {
      if (permission !== 'trial') {
        failures = 0;
        return false;
      }
      trying = false;
      failures = 0;
      pauseMs = FIRST_PAUSE_MS;
      retryAtMs = undefined;
      return true;
    },
    failed(permission) {
      if (permission === 'trial') {
        trying = false;
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        retryAtMs = nowMs() + pauseMs;
        return false;
      }
      failures += 1;
      if (retryAtMs !== undefined || failures < FAILURES_TO_OPEN) return false;
      retryAtMs = nowMs() + pauseMs;
      return true;
    },
  };
}
