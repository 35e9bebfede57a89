import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import { type Graph, isWeight } from '../graph/graph.ts';
import type { Weight } from '../weights/weight.ts';

/** A linear layer as it stands in a graph: a product with a constant matrix and, where it has one, its bias. */
export interface LinearProduct {
  readonly node: OnnxNode;
  /** Name of what it multiplies, `[…, in]`. */
  readonly x: string;
  /** `[in, out]` */
  readonly weight: Weight;
  /** The sum that follows at once, where there is one; then its result is the layer's. */
  readonly sum?: { readonly node: OnnxNode; readonly bias: Weight };
  /** Name of the layer's result. */
  readonly result: string;
}

/** Narrower layers, such as the last one of a classifier, cost next to nothing and decide the answer. */
const LEAST_WIDTH = 16;

function consumersOf(graph: Graph): ReadonlyMap<string, readonly OnnxNode[]> {
  const consumers = new Map<string, OnnxNode[]>();
  for (const node of graph.nodes) {
    for (const input of new Set(node.inputs)) {
      const known = consumers.get(input);
      if (known === undefined) consumers.set(input, [node]);
      else known.push(node);
    }
  }
  return consumers;
}

/**
 * Values that hold only the tokens that an expert was chosen for: perhaps none, and the runtime gives a reduction of no rows
 * a wrong shape. Such layers stay in float32.
 */
function chosenRows(graph: Graph): ReadonlySet<string> {
  const chosen = new Set<string>();
  for (const { operator, inputs, outputs } of graph.nodes) {
    if (operator !== 'GatherND' && !chosen.has(inputs[0] ?? '')) continue;
    for (const output of outputs) chosen.add(output);
  }
  return chosen;
}

/** The linear layers of a graph, in its order: those wide enough to be worth quantising. */
export function linearProducts(graph: Graph): readonly LinearProduct[] {
  const weights = new Map(graph.constants.filter(isWeight).map((weight) => [weight.name, weight]));
  const consumers = consumersOf(graph);
  const chosen = chosenRows(graph);
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  return graph.nodes.flatMap((node): LinearProduct[] => {
    const [x = '', weightName = ''] = node.inputs;
    const [product = ''] = node.outputs;
    const weight = weights.get(weightName);
    if (node.operator !== 'MatMul' || weight === undefined || weights.has(x) || chosen.has(x)) return [];
    if (weight.dims.length !== 2 || Math.min(...weight.dims) < LEAST_WIDTH) return [];
    const [follower, ...others] = consumers.get(product) ?? [];
    const bias = weights.get(follower?.inputs[1] ?? '');
    const isSum = follower?.operator === 'Add' && others.length === 0 && !outputs.has(product);
    if (follower === undefined || !isSum || bias?.dims.length !== 1 || bias.dims[0] !== weight.dims[1]) {
      return [{ node, x, weight, result: product }];
    }
    return [{ node, x, weight, sum: { node: follower, bias }, result: follower.outputs[0] ?? '' }];
  });
}
