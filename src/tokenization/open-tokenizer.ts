import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import type { TokenizerCall } from './call-parts.ts';
import type { TokenizerLimits } from './create-tokenizer.ts';
import { type StartTokenizerThread, startTokenizerThread } from './start-tokenizer-thread.ts';
import type { TokenizerAnswer } from './tokenizer-messages.ts';
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

  async function answer(call: TokenizerCall): Promise<TokenizerAnswer> {
    if (!session.hasEnded()) return session.call(call);
    reopening ??= reopen();
    return (await reopening).call(call);
  }

  async function encodings(call: TokenizerCall) {
    const answered = await answer(call);
    return answered.kind === 'encodings' ? answered.encodings : refuseAnswer(answered);
  }

  async function texts(call: TokenizerCall) {
    const answered = await answer(call);
    return answered.kind === 'texts' ? answered.texts : refuseAnswer(answered);
  }

  return {
    maxSequenceLength: session.maxSequenceLength,
    encode: (asked, options = {}) => encodings({ kind: 'encode', texts: asked, options }),
    encodePairs: (query, documents, options = {}) => encodings({ kind: 'encodePairs', query, documents, options }),
    encodeIds: (ids, options = {}) => encodings({ kind: 'encodeIds', ids, options }),
    async tokenize(asked, addSpecialTokens) {
      const answered = await answer({ kind: 'tokenize', texts: asked, addSpecialTokens });
      return answered.kind === 'tokens' ? answered.tokens : refuseAnswer(answered);
    },
    decode: (ids, skipSpecialTokens) => texts({ kind: 'decode', ids, skipSpecialTokens }),
    tokenTexts: (ids) => texts({ kind: 'tokenTexts', ids }),
  };
}

function refuseAnswer({ kind }: TokenizerAnswer): never {
  throw new ServiceError('internal_error', `The tokenizer's thread answered with ${kind}, which were not asked for`);
}
