import type { Logger } from '../../src/contracts/logger.ts';

/** Keeps every message but those for debugging. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    error: (message) => void lines.push(message),
    warning: (message) => void lines.push(message),
    info: (message) => void lines.push(message),
    debug: () => undefined,
  };
}
