import { onTestFinished } from 'vitest';

const NOBODY = 65_534;

/** Root may write everywhere; from here to the end of the test this process is somebody who may not. */
export function becomeUnprivileged(): void {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return;
  process.seteuid(NOBODY);
  onTestFinished(() => process.seteuid?.(0));
}
