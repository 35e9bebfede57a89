const FIRST_MS = 10_000;
/** A model comes at most five minutes after the hub does. */
const LONGEST_MS = 300_000;

/** How long a model is left alone after it has failed so many times in a row for causes that can pass. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}
