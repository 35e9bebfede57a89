/**
 * One Ctrl+C may arrive twice within milliseconds: from the terminal to the whole process group, and once more from npm,
 * which passes its own on. Only a signal that comes later than this after the first asks for a forced end.
 */
const REPEAT_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** From a terminal that is closed; where there is something to read again, it asks for that, as from other servers. */
const RELOAD_SIGNAL = 'SIGHUP';

export type SignalMeaning = 'stop' | 'repeat' | 'force';

/** What a signal at `nowMs` means when the first one came at `firstMs`. */
export function signalMeaning(firstMs: number | undefined, nowMs: number): SignalMeaning {
  if (firstMs === undefined) return 'stop';
  return nowMs - firstMs > REPEAT_MS ? 'force' : 'repeat';
}

export interface SignalActions {
  /** At the first signal. */
  stop(signal: string): void;
  /** At a deliberate second one. */
  force(signal: string): void;
  /** At SIGHUP, which is one of those signals where this is absent. */
  readonly reload?: (() => void) | undefined;
}

/** Returns the call that stops listening. */
export function onShutdownSignals({ stop, force, reload }: SignalActions): () => void {
  let firstMs: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    const meaning = signalMeaning(firstMs, nowMs);
    firstMs ??= nowMs;
    if (meaning === 'stop') stop(signal);
    if (meaning === 'force') force(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  const onReload = reload ?? listener;
  process.on(RELOAD_SIGNAL, onReload);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
    process.off(RELOAD_SIGNAL, onReload);
  };
}
