import { ServiceError } from '../contracts/errors.ts';
import type { PairPrompt, PromptPiece } from '../contracts/pair-prompt.ts';
import type { Encoding } from '../contracts/tokenizer.ts';

/** Text to ids as the prompt needs them. */
export interface PlainEncoder {
  /** The first `keep` ids of each text, without special tokens around it; literal ones inside a text are found. */
  encode(texts: readonly string[], keep: number): Promise<readonly Int32Array[]>;
}

export interface PromptedPairs {
  /** Ids of the prompt around the query and each document, never longer than the limit: that of the model, or another. */
  encodePairs(query: string, documents: readonly string[], limit?: number): Promise<readonly Encoding[]>;
}

/** One pass, so that braces inside a text stay what they are. */
function fillIn({ template }: PromptPiece, query: string, document: string): string {
  return template.replaceAll(/\{(query|document)\}/g, (_, name) => (name === 'query' ? query : document));
}

function join(prefix: Int32Array, body: readonly Int32Array[], suffix: Int32Array, limit: number): Encoding {
  const bodyLength = body.reduce((sum, ids) => sum + ids.length, 0);
  const end = Math.min(prefix.length + bodyLength, limit - suffix.length);
  const ids = new Int32Array(end + suffix.length);
  ids.set(prefix);
  let position = prefix.length;
  for (const piece of body) {
    const kept = piece.subarray(0, end - position);
    ids.set(kept, position);
    position += kept.length;
  }
  ids.set(suffix, end);
  return { ids, typeIds: new Int32Array(ids.length) };
}

/**
 * Wraps pairs into a prompt of at most `limit` tokens: prefix and suffix stay whole, the body between them is cut at its
 * end. What does not depend on the document is encoded once. Rejects with `invalid_model_folder` where the limit leaves no
 * room for a body.
 */
export async function openPromptedPairs(
  prompt: PairPrompt,
  encoder: PlainEncoder,
  limit: number,
): Promise<PromptedPairs> {
  const [prefix, suffix] = await encoder.encode([prompt.prefix, prompt.suffix], Number.MAX_SAFE_INTEGER);
  if (prefix === undefined || suffix === undefined) throw new ServiceError('internal_error', 'expected two encodings');
  const room = limit - prefix.length - suffix.length;
  if (room < 1) {
    throw new ServiceError(
      'invalid_model_folder',
      `expected a maximum sequence length of at least ${limit - room + 1} tokens (${limit - room} of the prompt and one of text), got ${limit}`,
    );
  }

  async function encodePiece(piece: PromptPiece, query: string, documents: readonly string[], space: number) {
    const keep = Math.floor(space * (piece.maxShare ?? 1));
    if (piece.template.includes('{document}')) {
      return encoder.encode(
        documents.map((document) => fillIn(piece, query, document)),
        keep,
      );
    }
    const [ids = new Int32Array()] = await encoder.encode([fillIn(piece, query, '')], keep);
    return documents.map(() => ids);
  }

  return {
    async encodePairs(query, documents, allowed = limit) {
      const space = room + (allowed - limit);
      const pieces = await Promise.all(prompt.pieces.map((piece) => encodePiece(piece, query, documents, space)));
      return documents.map((_, index) =>
        join(
          prefix,
          pieces.flatMap((ofPiece) => ofPiece[index] ?? []),
          suffix,
          allowed,
        ),
      );
    },
  };
}
