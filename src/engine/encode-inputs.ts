import type { TextInput } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding, Tokenizer, Truncation } from '../contracts/tokenizer.ts';
import { checkTokenIds } from '../tokenization/check-token-ids.ts';

export interface InputContext {
  readonly tokenizer: Tokenizer;
  readonly vocabularySize: number;
  /** Before each text. */
  readonly prompt: string;
  readonly truncation: Truncation | undefined;
  readonly param: string;
}

/** Texts and lists of ids, in any order, to what enters the model. Rejects with `invalid_request` for ids it has not. */
export async function encodeInputs(inputs: readonly TextInput[], context: InputContext): Promise<readonly Encoding[]> {
  const { tokenizer, prompt, truncation } = context;
  const texts = inputs.filter((input) => typeof input === 'string');
  const rows = inputs.filter((input) => typeof input !== 'string');
  if (rows.length > 0 && prompt !== '') throw promptBeforeIds(context.param);
  const options = { truncation };
  const [ofTexts, ofRows] = await Promise.all([
    texts.length === 0 ? [] : tokenizer.encode(prompt === '' ? texts : texts.map((text) => prompt + text), options),
    rows.length === 0 ? [] : tokenizer.encodeIds(checkedRows(rows, context), options),
  ]);
  const nextText = ofTexts[Symbol.iterator]();
  const nextRow = ofRows[Symbol.iterator]();
  return inputs.flatMap((input) => {
    const { value, done } = (typeof input === 'string' ? nextText : nextRow).next();
    return done === true ? [] : [value];
  });
}

/** Ids that fit into 32 bits only once they are known to be in the vocabulary. Throws `invalid_request`. */
export function checkedRows(
  rows: readonly (readonly number[])[],
  { vocabularySize, param }: Pick<InputContext, 'vocabularySize' | 'param'>,
): readonly Int32Array[] {
  return rows.map((ids) => {
    checkTokenIds(ids, vocabularySize, param);
    return Int32Array.from(ids);
  });
}

function promptBeforeIds(param: string): ServiceError {
  return new ServiceError('invalid_request', `${param}: expected texts, since there is a prompt, got token ids`, {
    param,
  });
}
