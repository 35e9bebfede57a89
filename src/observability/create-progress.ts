import type { Logger } from '../contracts/logger.ts';
import { type AmountText, progressText } from './progress-text.ts';

export interface ProgressTask {
  /** How much is done now, of all of it. */
  set(done: number): void;
  end(): void;
}

/** Shows how far something is. */
export interface Progress {
  start(label: string, total: number | undefined, doneBefore: number, amountText: AmountText): ProgressTask;
}

export interface ProgressOptions {
  readonly logger: Logger;
  /** The terminal to draw on; left out, lines go to the log. */
  readonly terminal?: { write(text: string): unknown; readonly columns?: number | undefined } | undefined;
  readonly nowMs?: () => number;
}

/** A terminal is redrawn no more often than eyes can follow. */
const REDRAW_MS = 100;
const LOG_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * One line that is redrawn on a terminal, for all tasks together; a plain line in the log every ten seconds elsewhere. It
 * is driven by the work itself, so there is no timer to stop.
 */
export function createProgress({ logger, terminal, nowMs = () => performance.now() }: ProgressOptions): Progress {
  const lines = new Map<symbol, string>();
  let drawnMs = Number.NEGATIVE_INFINITY;

  function draw(): void {
    const text = [...lines.values()].join(' | ');
    terminal?.write(`${CLEAR_LINE}${text.slice(0, (terminal.columns ?? 80) - 1)}`);
  }

  return {
    start(label, total, doneBefore, amountText) {
      const key = Symbol(label);
      const startedMs = nowMs();
      let loggedMs = startedMs;
      return {
        set(done) {
          const now = nowMs();
          if (terminal === undefined ? now - loggedMs < LOG_EVERY_MS : now - drawnMs < REDRAW_MS) return;
          const text = progressText({ done, total, doneBefore, elapsedMs: now - startedMs }, amountText);
          if (terminal === undefined) {
            loggedMs = now;
            logger.info(`${label}: ${text}`);
          } else {
            drawnMs = now;
            lines.set(key, `${label}: ${text}`);
            draw();
          }
        },
        end() {
          if (!lines.delete(key)) return;
          if (lines.size === 0) terminal?.write(CLEAR_LINE);
          else draw();
        },
      };
    },
  };
}
