/** Reference: https://github.com/FlagOpen/FlagEmbedding/blob/v1.3.3/FlagEmbedding/finetune/embedder/encoder_only/m3/modeling.py */
import type { JsonObject } from '../../contracts/json.ts';
import { linear } from '../layers/linear.ts';
import { tokenOutput } from './graph-output.ts';
import type { ConfigureHead } from './head.ts';
import { normalize } from './modules/normalize.ts';
import { rowsOf } from './rows-of.ts';

/** Where XLM-RoBERTa's vocabulary has its unknown token; no config states it. */
const UNKNOWN_ID = 3;

/** `<s>`, `<pad>`, `</s>` and `<unk>` weigh nothing. */
function specialIds({ bos_token_id: bos = 0, pad_token_id: pad = 1, eos_token_id: eos = 2 }: JsonObject): number[] {
  return [bos, pad, eos, UNKNOWN_ID].filter((id) => typeof id === 'number');
}

/** A weight for each token, `[batch, sequence, 1]`; an entry of the vocabulary has the largest of its tokens. */
export const bgeM3Sparse: ConfigureHead = (folder) => ({
  tasks: ['sparse'],
  outputs: [{ ...tokenOutput('sparse', 1), ignoredIds: specialIds(folder.config) }],
  wantedTokens: 'all',
  apply: (g, root, _body, hidden) => [g.node('Relu', [linear(g, root.at('sparse_linear'), hidden, 1)])],
});

/** A vector of length 1 for each token but the first, `[batch, sequence - 1, width]`. */
export const bgeM3Colbert: ConfigureHead = (_folder, _model, tensors) => {
  const width = rowsOf(tensors, 'colbert_linear.weight');
  const { apply } = normalize({ type: 'Normalize', path: '', config: undefined }, width);
  return {
    tasks: ['colbert'],
    outputs: [tokenOutput('colbert', width, 1)],
    wantedTokens: 'all',
    apply(g, root, _body, hidden) {
      const inputs = [hidden, g.integers([1]), g.integers([Number.MAX_SAFE_INTEGER]), g.integers([1])];
      const others = g.node('Slice', inputs);
      return [apply(g, root, linear(g, root.at('colbert_linear'), others, width))];
    },
  };
};
