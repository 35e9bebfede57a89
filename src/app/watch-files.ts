import { unwatchFile, watchFile } from 'node:fs';

/** How soon a new key or certificate counts. */
const INTERVAL_MS = 2000;

/**
 * Calls back when one of these files has changed. They are looked at, which costs a call of `stat`, rather than watched: Kubernetes
 * changes a secret by the target of a link two folders up, of which watching the file tells nothing. Returns the call that stops.
 */
export function watchFiles(filePaths: readonly string[], onChange: () => void, intervalMs = INTERVAL_MS): () => void {
  for (const filePath of filePaths) watchFile(filePath, { interval: intervalMs, persistent: false }, onChange);
  return () => {
    for (const filePath of filePaths) unwatchFile(filePath, onChange);
  };
}
