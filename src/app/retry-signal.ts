/** There is none on Windows; SIGUSR1 is Node's own. */
const SIGNAL = 'SIGUSR2';

/** Calls `retry` each time that somebody asks for it with `kill -USR2`. Returns the call that stops listening. */
export function onRetrySignal(retry: () => void): () => void {
  if (process.platform === 'win32') return () => {};
  process.on(SIGNAL, retry);
  return () => process.off(SIGNAL, retry);
}
