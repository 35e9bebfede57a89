/**
 * A feed-forward layer of which every token passes only the parts, "experts", that a router chooses for it.
 * Reference: NomicMoELayer, NomicRouter and NomicExperts of
 * https://huggingface.co/nomic-ai/nomic-bert-2048/blob/main/modeling_hf_nomic_bert.py
 */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { rowsOf } from '../weights/rows-of.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { activation } from './activation.ts';
import { affine } from './affine.ts';
import { linear } from './linear.ts';

export interface Experts {
  readonly count: number;
  /** Experts that each token passes. */
  readonly perToken: number;
  readonly innerWidth: number;
  /** Hugging Face's name of the activation. */
  readonly activation: string;
}

/** The tokens that one expert works on: int64 `[chosen, 1]`, and the weight of its result: `[chosen, 1]`. */
interface Share {
  readonly tokens: Value;
  readonly weights: Value;
}

/** Every token's weights of its experts, and which they are: `[tokens, perToken]`. */
type Routes = readonly [weights: Value, experts: Value];

/** The softmax is over all experts, and the chosen weights stay as they are: they sum to less than 1. */
function routes(g: GraphBuilder, w: WeightScope, x: Value, { count, perToken }: Experts): Routes {
  const scores = linear(g, w.at('router.layer'), x, count, { bias: false });
  const weights = g.node('Softmax', [scores], { attributes: { axis: { int: -1 } } });
  const shape = ['tokens', perToken] as const;
  return g.nodeOfTwo('TopK', [weights, g.integers([perToken])], [shape, shape]);
}

function shareOf(g: GraphBuilder, [weights, experts]: Routes, expert: number): Share {
  const isChosen = g.node('Equal', [experts, g.integers([expert])]);
  const places = g.node('Transpose', [g.node('NonZero', [isChosen], { dims: [2, 'chosen'] })], { dims: ['chosen', 2] });
  const column = (start: number) => [places, g.integers([start]), g.integers([start + 1]), g.integers([1])];
  const ofPlaces = g.node('GatherND', [weights, places], { dims: ['chosen'] });
  return {
    tokens: g.node('Slice', column(0), { dims: ['chosen', 1] }),
    weights: g.node('Unsqueeze', [ofPlaces, g.integers([1])], { dims: ['chosen', 1] }),
  };
}

/** One expert's result for its tokens, weighted: `[chosen, width]`. */
function work(g: GraphBuilder, w: WeightScope, x: Value, { tokens, weights }: Share, experts: Experts, expert: number) {
  const { count, innerWidth } = experts;
  const width = widthOf(x);
  const rows = [expert * innerWidth, (expert + 1) * innerWidth] as const;
  const part = (name: string) => rowsOf(w.read(name, [count * innerWidth, width]), ...rows);
  const chosen = g.node('GatherND', [x, tokens], { dims: ['chosen', width] });
  const inner = activation(g, experts.activation, affine(g, chosen, part('experts.mlp.w1')));
  const outer = g.node('MatMul', [inner, g.constant(part('experts.mlp.w2'))], { dims: ['chosen', width] });
  return g.node('Mul', [outer, weights]);
}

/**
 * `x` `[batch, tokens, width]` to the same shape. Reads `router.layer.weight` `[count, width]`, `experts.mlp.w1` and
 * `experts.mlp.w2`, both `[count * innerWidth, width]`, and `experts.bias` `[width]`, which is added once.
 */
export function mixtureOfExperts(g: GraphBuilder, w: WeightScope, x: Value, experts: Experts): Value {
  const width = widthOf(x);
  const flat = g.node('Reshape', [x, g.integers([-1, width])], { dims: ['tokens', width] });
  const chosen = routes(g, w, flat, experts);
  const bias = g.constant(w.read('experts.bias', [width]));
  const shape = g.node('Shape', [flat], { dims: [2] });
  let sum = g.node('Expand', [bias, shape], { dims: flat.dims });
  for (let expert = 0; expert < experts.count; expert += 1) {
    const share = shareOf(g, chosen, expert);
    const result = work(g, w, flat, share, experts, expert);
    sum = g.node('ScatterND', [sum, share.tokens, result], { attributes: { reduction: { text: 'add' } } });
  }
  return g.node('Reshape', [sum, g.node('Shape', [x], { dims: [3] })], { dims: x.dims });
}
