import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import type { TokenizerCall } from './call-parts.ts';
import type { TokenizerLimits } from './create-tokenizer.ts';
import { type StartTokenizerThread, startTokenizerThread } from './start-tokenizer-thread.ts';
import { openTokenizerSession, type TokenizerSession } from './tokenizer-session.ts';

/**
 * Opens a model folder's tokenizer in a worker thread of its own, so that nothing it does blocks the calling one.
 * Rejects with `invalid_model_folder` when its files are missing, damaged, do not fit the model's vocabulary, or leave
 * no room beside the special tokens.
 *
 * A thread that dies takes the calls in its hand with it (`internal_error`). The next call starts another one, once; when
 * that cannot open the tokenizer, the call rejects with the reason.
 */
export async function openTokenizer(
  folder: ModelFolder,
  limits: TokenizerLimits,
  startThread: StartTokenizerThread = startTokenizerThread,
): Promise<Tokenizer> {
  const open = (): Promise<TokenizerSession> => openTokenizerSession({ folder, limits }, startThread);
  let session = await open();
  let reopening: Promise<TokenizerSession> | undefined;

  async function reopen(): Promise<TokenizerSession> {
    try {
      session = await open();
      return session;
    } finally {
      reopening = undefined;
    }
  }

  async function encode(call: TokenizerCall): Promise<readonly Encoding[]> {
    if (!session.hasEnded()) return session.encode(call);
    reopening ??= reopen();
    return (await reopening).encode(call);
  }

  return {
    maxSequenceLength: session.maxSequenceLength,
    encode: (texts) => encode({ kind: 'encode', texts }),
    encodePairs: (query, documents) => encode({ kind: 'encodePairs', query, documents }),
  };
}
