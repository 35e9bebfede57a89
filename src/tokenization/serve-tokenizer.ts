import type { Tokenizer } from '../contracts/tokenizer.ts';
import { CallJoiner, type TokenizerCall } from './call-parts.ts';
import { packEncodings } from './packed-encodings.ts';
import { toFailure } from './tokenizer-failure.ts';
import type { TokenizerAnswer, TokenizerReply, TokenizerRequest } from './tokenizer-messages.ts';

/** The worker's way to the main thread. */
export interface TokenizerPort {
  /** `transferred` buffers move to the other side without a copy. */
  send(reply: TokenizerReply, transferred: readonly ArrayBuffer[]): void;
  /** From then on the thread lives until it is ended. */
  onRequest(listener: (request: TokenizerRequest) => void): void;
}

/**
 * The worker's end: opens the tokenizer and answers calls for as long as the thread lives. Each call is begun when it
 * has come, so that a short one does not wait for a long one. When the tokenizer cannot be opened, it says so and
 * listens to nothing, which lets the thread end.
 */
export async function serveTokenizer(port: TokenizerPort, opening: Promise<Tokenizer>): Promise<void> {
  const joiner = new CallJoiner();

  async function answer(tokenizer: Tokenizer, id: number, call: TokenizerCall): Promise<void> {
    try {
      const answered = await carryOut(tokenizer, call);
      if (answered.kind !== 'encodings') {
        port.send({ kind: 'answered', id, answer: answered }, []);
        return;
      }
      const encodings = packEncodings(answered.encodings);
      const { ids, typeIds, lengths } = encodings;
      port.send({ kind: 'encoded', id, encodings }, [ids.buffer, typeIds.buffer, lengths.buffer]);
    } catch (error) {
      port.send({ kind: 'failed', id, failure: toFailure(error) }, []);
    }
  }

  try {
    const tokenizer = await opening;
    port.onRequest(({ id, part }) => {
      const call = joiner.add(id, part);
      if (call !== undefined) void answer(tokenizer, id, call);
    });
    port.send({ kind: 'opened', maxSequenceLength: tokenizer.maxSequenceLength }, []);
  } catch (error) {
    port.send({ kind: 'refused', failure: toFailure(error) }, []);
  }
}

async function carryOut(tokenizer: Tokenizer, call: TokenizerCall): Promise<TokenizerAnswer> {
  switch (call.kind) {
    case 'encode':
      return { kind: 'encodings', encodings: await tokenizer.encode(call.texts, call.options) };
    case 'encodePairs':
      return { kind: 'encodings', encodings: await tokenizer.encodePairs(call.query, call.documents, call.options) };
    case 'encodeIds':
      return { kind: 'encodings', encodings: await tokenizer.encodeIds(call.ids, call.options) };
    case 'tokenize':
      return { kind: 'tokens', tokens: await tokenizer.tokenize(call.texts, call.addSpecialTokens) };
    case 'decode':
      return { kind: 'texts', texts: await tokenizer.decode(call.ids, call.skipSpecialTokens) };
    case 'tokenTexts':
      return { kind: 'texts', texts: await tokenizer.tokenTexts(call.ids) };
  }
}
