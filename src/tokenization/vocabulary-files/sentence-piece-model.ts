import { BinaryReader } from '@bufbuild/protobuf/wire';

export interface SentencePieceModel {
  /** In the order of their ids. */
  readonly pieces: readonly { readonly piece: string; readonly score: number }[];
  /** Table of the normaliser; empty when it does nothing. */
  readonly charsmap: Uint8Array;
  readonly isUnigram: boolean;
}

const UNIGRAM = 1;

/**
 * Reads a SentencePiece model. Throws where it is none.
 * https://github.com/google/sentencepiece/blob/v0.2.0/src/sentencepiece_model.proto
 */
export function readSentencePieceModel(bytes: Uint8Array): SentencePieceModel {
  const pieces: { piece: string; score: number }[] = [];
  let charsmap: Uint8Array = new Uint8Array();
  let modelType = UNIGRAM;
  readFields(bytes, {
    1: (reader) => {
      let piece = '';
      let score = 0;
      readFields(reader.bytes(), {
        1: (field) => {
          piece = field.string();
        },
        2: (field) => {
          score = field.float();
        },
      });
      pieces.push({ piece, score });
    },
    2: (reader) => {
      readFields(reader.bytes(), {
        3: (field) => {
          modelType = field.int32();
        },
      });
    },
    3: (reader) => {
      readFields(reader.bytes(), {
        2: (field) => {
          charsmap = field.bytes();
        },
      });
    },
  });
  return { pieces, charsmap, isUnigram: modelType === UNIGRAM };
}

/** Calls a reader for each field that has one, by its number; skips the others. */
function readFields(bytes: Uint8Array, readers: Readonly<Record<number, (reader: BinaryReader) => void>>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const read = readers[field];
    if (read === undefined) reader.skip(wireType);
    else read(reader);
  }
}
