import type { PairPrompt } from '../../../contracts/pair-prompt.ts';

/** A way to ask a language model whether a document answers a query. */
export interface KnownPrompt {
  readonly name: string;
  /** The two answers, each one token of the vocabulary. */
  readonly yes: string;
  readonly no: string;
  readonly prompt: PairPrompt;
}

/** Source: https://huggingface.co/Qwen/Qwen3-Reranker-0.6B, the code of the model card. */
export const QWEN3_RERANKER: KnownPrompt = {
  name: 'Qwen3-Reranker',
  yes: 'yes',
  no: 'no',
  prompt: {
    prefix:
      '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
    pieces: [
      {
        template:
          '<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n<Query>: {query}\n<Document>: {document}',
      },
    ],
    suffix: '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
  },
};

/** Source: https://github.com/mixedbread-ai/mxbai-rerank/blob/main/mxbai_rerank/mxbai_rerank_v2.py */
export const MXBAI_RERANK_V2: KnownPrompt = {
  name: 'mxbai-rerank-v2',
  yes: '1',
  no: '0',
  prompt: {
    prefix:
      '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n',
    pieces: [{ template: 'query: {query}', maxShare: 0.75 }, { template: '\n' }, { template: 'document: {document}' }],
    suffix:
      '\nYou are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, carefully analyze the semantic relationship between them, then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:<|im_end|>\n<|im_start|>assistant\n',
  },
};

/** One line for each prompt. */
export const KNOWN_PROMPTS: readonly KnownPrompt[] = [QWEN3_RERANKER, MXBAI_RERANK_V2];
