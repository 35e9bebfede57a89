import type {
  DecodeRequest,
  DecodeResult,
  RequestContext,
  TokenizeRequest,
  TokenizeResult,
} from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { choosePrompt } from './choose-prompt.ts';
import { checkedRows } from './encode-inputs.ts';
import { estimateDemand } from './estimate-demand.ts';
import { holdRoom } from './hold-room.ts';
import { type ChosenModel, type ServedModels, withModel } from './require-model.ts';

/** Any model will do: all of them have a tokenizer. */
const ANY = [[]] as const;

/** Of all texts of a request. A token is an object of its own, with its text: a million characters are at most 100 MB of them. */
const MAX_CHARACTERS = 1_000_000;

/**
 * The tokens of texts, one by one. Rejects with the errors of `withModel` and `holdRoom`, and with `invalid_request` for
 * too much text.
 */
export function tokenize(
  models: ServedModels,
  request: TokenizeRequest,
  context: RequestContext,
): Promise<TokenizeResult> {
  return withModel(models, request, { wanted: ANY, context }, (model) => tokenizeWith(model, request, context));
}

async function tokenizeWith(
  { servedName, tokenizer, scheduler, prompts }: ChosenModel,
  request: TokenizeRequest,
  context: RequestContext,
): Promise<TokenizeResult> {
  const prompt = choosePrompt(prompts, request.prompt, servedName);
  const texts = request.texts.map((text) => prompt + text);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > MAX_CHARACTERS) {
    const { param = 'inputs' } = request;
    const message = `${param}: expected at most ${MAX_CHARACTERS} characters in all, prompts included, got ${characters}`;
    throw new ServiceError('invalid_request', message, { param });
  }
  const work = () => tokenizer.tokenize(texts, request.addSpecialTokens);
  const estimate = estimateDemand(texts, tokenizer.maxSequenceLength);
  return { model: servedName, texts: await holdRoom(scheduler, { work, estimate, context }) };
}

/** The texts of rows of ids. Rejects as `tokenize`, and with `invalid_request` for an id that the model has not. */
export function decode(models: ServedModels, request: DecodeRequest, context: RequestContext): Promise<DecodeResult> {
  return withModel(models, request, { wanted: ANY, context }, (model) => decodeWith(model, request, context));
}

async function decodeWith(
  { servedName, tokenizer, scheduler, compiled }: ChosenModel,
  request: DecodeRequest,
  context: RequestContext,
): Promise<DecodeResult> {
  const rows = checkedRows(request.ids, { vocabularySize: compiled.vocabularySize, param: request.param ?? 'ids' });
  const work = () => tokenizer.decode(rows, request.skipSpecialTokens);
  const estimate = estimateDemand(request.ids, tokenizer.maxSequenceLength);
  return { model: servedName, texts: await holdRoom(scheduler, { work, estimate, context }) };
}
