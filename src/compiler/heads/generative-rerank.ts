import { ServiceError } from '../../contracts/errors.ts';
import { scoreFunction } from '../config/score-function.ts';
import { generativeClassifier } from './classifiers/generative-classifier.ts';
import { readGenerativeReranker } from './generative/generative-reranker.ts';
import { itemOutput } from './graph-output.ts';
import type { ConfigureHead } from './head.ts';

/** A language model that is asked whether a document answers a query: one logit, of the answer yes against no. */
export const generativeRerank: ConfigureHead = (folder, model) => {
  if (model.outputMatrix === undefined) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': reranking by the next token is not supported for model_type '${folder.config.model_type}'`,
    );
  }
  const { tokens, prompt } = readGenerativeReranker(folder);
  const { wantedTokens, logits } = generativeClassifier(model.outputMatrix, tokens);
  return {
    tasks: ['rerank'],
    outputs: [itemOutput('logits', 1)],
    wantedTokens,
    pairPrompt: prompt,
    classification: { labels: ['yes'], scoreFunction: scoreFunction(folder, 1) },
    apply: (g, root, body, hidden) => [logits(g, root, body, hidden, 1)],
  };
};
