/**
 * One Ctrl+C may arrive twice within milliseconds: from the terminal to the whole process group, and once more from npm,
 * which passes its own on. Only a signal that comes later than this after the first asks for a forced end.
 */
const REPEAT_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type SignalMeaning = 'stop' | 'repeat' | 'force';

/** What a signal at `nowMs` means when the first one came at `firstMs`. */
export function signalMeaning(firstMs: number | undefined, nowMs: number): SignalMeaning {
  if (firstMs === undefined) return 'stop';
  return nowMs - firstMs > REPEAT_MS ? 'force' : 'repeat';
}

/** Calls `stop` on the first signal and `force` on a deliberate second one. Returns the call that stops listening. */
export function onShutdownSignals(stop: (signal: string) => void, force: (signal: string) => void): () => void {
  let firstMs: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    const meaning = signalMeaning(firstMs, nowMs);
    firstMs ??= nowMs;
    if (meaning === 'stop') stop(signal);
    if (meaning === 'force') force(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
