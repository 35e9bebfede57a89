import type { Tokenizer as NativeTokenizer } from 'tokenizers';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';

/** Whatever a tokenizer knows, some of this it must turn into ids; one that does not would make all texts equal. */
const PROBE = 'The year 2024: 你好, мир!';

/** Rejects with `invalid_model_folder` when a tokenizer makes nothing of a text. */
export async function refuseSilence(folder: ModelFolder, native: NativeTokenizer): Promise<void> {
  const encoding = await native.encode(PROBE, null, { addSpecialTokens: false });
  if (encoding.getLength() > 0) return;
  throw new ServiceError(
    'invalid_model_folder',
    `'${folder.path}': expected a tokenizer that turns '${PROBE}' into ids, got none at all; its tokenizer.json is damaged or of another model`,
  );
}
