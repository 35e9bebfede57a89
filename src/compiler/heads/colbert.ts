import type { ModelFolder } from '../../contracts/model-folder.ts';
import { linear } from '../layers/linear.ts';
import { tokenOutput } from './graph-output.ts';
import type { ConfigureHead, Head, Tensors } from './head.ts';
import { configureModules } from './modules/configure-modules.ts';
import { normalize } from './modules/normalize.ts';
import { rowsOf } from './rows-of.ts';

/** PyLate's layout: the modules after the Transformer work on every token. */
function fromModules(folder: ModelFolder, hiddenSize: number): Pick<Head, 'outputs' | 'apply'> {
  const others = folder.modules.filter(({ type }) => type !== 'Transformer' && type !== 'Normalize');
  const modules = configureModules(others, hiddenSize);
  const { apply } = normalize({ type: 'Normalize', path: '', config: undefined }, modules.width);
  return {
    outputs: [tokenOutput('colbert', modules.width)],
    apply: (g, root, _body, hidden) => [apply(g, root, modules.apply(g, root, hidden))],
  };
}

/** The original's layout: `linear.weight` in the checkpoint, beside the body. */
function fromCheckpoint(tensors: Tensors): Pick<Head, 'outputs' | 'apply'> {
  const width = rowsOf(tensors, 'linear.weight');
  const { apply } = normalize({ type: 'Normalize', path: '', config: undefined }, width);
  return {
    outputs: [tokenOutput('colbert', width)],
    apply: (g, root, _body, hidden) => [apply(g, root, linear(g, root.at('linear'), hidden, width, { bias: false }))],
  };
}

/** ColBERT: a narrow vector of length 1 for each token. */
export const colbert: ConfigureHead = (folder, model, tensors) => ({
  tasks: ['colbert'],
  wantedTokens: 'all',
  ...(folder.modules.length > 0 ? fromModules(folder, model.hiddenSize) : fromCheckpoint(tensors)),
});
