/** Calls `action` after `delayMs`, unless the returned call comes first. */
export type Schedule = (action: () => void, delayMs: number) => () => void;

/**
 * A pause of the whole machine or container, however long, counts as one of so many parts of the time: after it, a process
 * that has done nothing wrong has the others left to answer.
 */
const PARTS = 4;

/** Calls `onHung` after `limitMs`, unless the returned call comes first. */
export function watch(limitMs: number, schedule: Schedule, onHung: () => void): () => void {
  let left = PARTS;
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = schedule(() => {
      left -= 1;
      if (left > 0) wait();
      else onHung();
    }, limitMs / PARTS);
  };
  wait();
  return () => cancel();
}

export const scheduleTimer: Schedule = (action, delayMs) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};
