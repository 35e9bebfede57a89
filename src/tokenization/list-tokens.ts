import type { Encoding as NativeEncoding, Tokenizer as NativeTokenizer } from 'tokenizers';
import type { Token } from '../contracts/tokenizer.ts';

/** Texts encoded at a time: each id is handed over on the calling thread. */
const TEXTS_AT_A_TIME = 32;

/** The tokens of each text with their place in it, not truncated. */
export async function listTokens(
  native: NativeTokenizer,
  texts: readonly string[],
  addSpecialTokens: boolean,
): Promise<readonly (readonly Token[])[]> {
  const results: (readonly Token[])[] = [];
  for (let start = 0; start < texts.length; start += TEXTS_AT_A_TIME) {
    const group = texts.slice(start, start + TEXTS_AT_A_TIME);
    const encodings = await Promise.all(group.map((text) => native.encode(text, null, { addSpecialTokens })));
    results.push(...encodings.map((encoding, index) => tokensOf(encoding, group[index] ?? '')));
  }
  return results;
}

function tokensOf(encoding: NativeEncoding, text: string): readonly Token[] {
  const ids = encoding.getIds();
  const names = encoding.getTokens();
  const sources = encoding.getSequenceIds();
  const offsets = encoding.getOffsets();
  const places = utf8Places(text);
  return ids.map((id, index) => {
    const name = names[index] ?? '';
    // Special tokens come from no text; literal ones that the text holds do.
    if (sources[index] === null || sources[index] === undefined) {
      return { id, text: name, special: true, start: undefined, stop: undefined };
    }
    const [first = 0, last = 0] = offsets[index] ?? [];
    const from = places.at(first);
    const to = places.at(last);
    return { id, text: text.slice(from.unit, to.unit), special: false, start: from.byte, stop: to.byte };
  });
}

/** Where the n-th character (code point) of a text begins, in UTF-16 units and in UTF-8 bytes. */
function utf8Places(text: string) {
  const units: number[] = [];
  const bytes: number[] = [];
  let unit = 0;
  let byte = 0;
  for (const character of text) {
    units.push(unit);
    bytes.push(byte);
    unit += character.length;
    byte += Buffer.byteLength(character);
  }
  return {
    at: (character: number) => ({ unit: units[character] ?? unit, byte: bytes[character] ?? byte }),
  };
}
