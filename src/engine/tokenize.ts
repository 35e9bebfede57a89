import type { DecodeRequest, DecodeResult, TokenizeRequest, TokenizeResult } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { choosePrompt } from './choose-prompt.ts';
import { checkedRows } from './encode-inputs.ts';
import { requireModel, type ServedModels } from './require-model.ts';

/** Any model will do: all of them have a tokenizer. */
const ANY = [[]] as const;

/** Of all texts of a request. A token is an object of its own, with its text: a million characters are at most 100 MB of them. */
const MAX_CHARACTERS = 1_000_000;

/** The tokens of texts, one by one. Rejects with the errors of `requireModel`, and `invalid_request` for too much text. */
export async function tokenize(models: ServedModels, request: TokenizeRequest): Promise<TokenizeResult> {
  const { servedName, tokenizer, prompts } = requireModel(models, request, ANY);
  const prompt = choosePrompt(prompts, request.prompt, servedName);
  const texts = request.texts.map((text) => prompt + text);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > MAX_CHARACTERS) {
    const { param = 'inputs' } = request;
    const message = `${param}: expected at most ${MAX_CHARACTERS} characters in all, prompts included, got ${characters}`;
    throw new ServiceError('invalid_request', message, { param });
  }
  return { model: servedName, texts: await tokenizer.tokenize(texts, request.addSpecialTokens) };
}

/** The texts of rows of ids. Rejects as `tokenize`, and with `invalid_request` for an id that the model has not. */
export async function decode(models: ServedModels, request: DecodeRequest): Promise<DecodeResult> {
  const { servedName, tokenizer, compiled } = requireModel(models, request, ANY);
  const rows = checkedRows(request.ids, { vocabularySize: compiled.vocabularySize, param: request.param ?? 'ids' });
  return { model: servedName, texts: await tokenizer.decode(rows, request.skipSpecialTokens) };
}
