import { setImmediate as nextTurn } from 'node:timers/promises';

/** A reply that was built in several turns of the event loop, as UTF-8. */
export interface LargeBody {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
}

/**
 * Characters built before others get their turn, about 1 ms of printed numbers: a request of 2048 vectors of 1024 numbers, 42
 * MB of text, would hold the thread for 500 ms otherwise.
 */
const CHARACTERS_PER_TURN = 64 * 1024;

/**
 * Joins pieces of text that are made one by one as they are asked for. A small body stays one string; a large one yields
 * the thread between chunks and stops, rejecting with the signal's reason, when the client has gone.
 */
export async function assembleBody(
  pieces: Iterable<string>,
  signal: AbortSignal,
  charactersPerTurn = CHARACTERS_PER_TURN,
): Promise<string | LargeBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let text = '';

  function flush(): void {
    const chunk = Buffer.from(text);
    chunks.push(chunk);
    bytes += chunk.length;
    text = '';
  }

  for (const piece of pieces) {
    text += piece;
    if (text.length < charactersPerTurn) continue;
    flush();
    await nextTurn();
    signal.throwIfAborted();
  }
  if (chunks.length === 0) return text;
  flush();
  return { chunks, bytes };
}
