import path from 'node:path';
import { lowercase, Tokenizer as NativeTokenizer, sequenceNormalizer } from 'tokenizers';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { buildTokenizer } from './vocabulary-files/build-tokenizer.ts';

/**
 * Opens tokenizer.json, or builds it where a folder has vocabulary files alone, and puts it into the state it keeps: a
 * baked-in truncation or padding section is switched off (ours truncates, nothing pads), and texts are lowercased where
 * sentence_bert_config.json asks for it and the tokenizer does not do so itself. Throws `invalid_model_folder` when the
 * file is missing or cannot be read.
 */
export function loadNativeTokenizer(folder: ModelFolder, fileName = 'tokenizer.json'): NativeTokenizer {
  const native = folder.files.includes(fileName)
    ? readFile(path.join(folder.path, fileName))
    : NativeTokenizer.fromString(JSON.stringify(buildTokenizer(folder)));
  native.disableTruncation();
  native.disablePadding();
  if (folder.sentenceBertConfig?.do_lower_case === true) ensureLowercase(native);
  return native;
}

function readFile(filePath: string): NativeTokenizer {
  try {
    return NativeTokenizer.fromFile(filePath);
  } catch (error) {
    const actual = error instanceof Error ? error.message : String(error);
    throw new ServiceError(
      'invalid_model_folder',
      `'${filePath}': expected a tokenizer in the tokenizers format of Hugging Face, got: ${actual}`,
      { cause: error },
    );
  }
}

/** Lowercases before everything else, but not literal special tokens, as sentence-transformers 6 does. */
function ensureLowercase(native: NativeTokenizer): void {
  const normalizer = native.getNormalizer();
  if (normalizer === null) native.setNormalizer(lowercase());
  else if (normalizer.normalizeString('A').includes('A')) {
    native.setNormalizer(sequenceNormalizer([lowercase(), normalizer]));
  }
}
