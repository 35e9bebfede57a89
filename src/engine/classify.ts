import type { ClassifyRequest, ClassifyResult, RequestContext } from '../contracts/engine.ts';
import type { EncodeOptions, Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { labelScores } from './label-scores.ts';
import { outputOf } from './output-of.ts';
import { type ChosenModel, type ServedModels, withModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

type Item = ClassifyRequest['texts'][number];

/** The labels of each text or pair with their scores, best first. Rejects as `withModel` does. */
export function classify(
  models: ServedModels,
  request: ClassifyRequest,
  context: RequestContext,
): Promise<ClassifyResult> {
  const wanted = request.rerankers ? ([['classify'], ['rerank']] as const) : ([['classify']] as const);
  return withModel(models, request, { wanted, context }, (model) => classifyWith(model, request, context));
}

async function classifyWith(
  model: ChosenModel,
  request: ClassifyRequest,
  context: RequestContext,
): Promise<ClassifyResult> {
  const { texts, rawScores, truncation, param = 'input' } = request;
  const { position } = outputOf(model.compiled, 'logits');
  const { labels, scoreFunction } = model.compiled.classification ?? { labels: [], scoreFunction: 'none' };
  const isReranker = !model.compiled.tasks.includes('classify');
  // A reranker's score is the logistic function of its logit, whatever its own choice: `/rerank` says the same.
  const scores = rawScores ? 'none' : isReranker ? 'sigmoid' : scoreFunction;
  const encode = (unique: readonly Item[]) => encodeItems(model.tokenizer, unique, { truncation });
  const run = { texts, truncation, encode, context, param, outputs: [position] };
  const { results, tokens } = await runTexts(model, run, (rows) =>
    labelScores(rows[position] ?? new Float32Array(), labels, scores),
  );
  return { model: model.servedName, results, tokens };
}

async function encodeItems(
  tokenizer: Tokenizer,
  items: readonly Item[],
  options: EncodeOptions,
): Promise<readonly Encoding[]> {
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length === items.length) return tokenizer.encode(texts, options);
  const groups = await Promise.all(
    items.map((item) =>
      typeof item === 'string' ? tokenizer.encode([item], options) : tokenizer.encodePairs(item[0], [item[1]], options),
    ),
  );
  return groups.flat();
}
