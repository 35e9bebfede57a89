import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import type { Graph, GraphConstant } from '../graph/graph.ts';
import type { LinearProduct } from './linear-products.ts';

/** What a layer becomes: nodes that end in its result, and the constants that they read. */
export interface Rewritten {
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly GraphConstant[];
}

/**
 * A graph in which each of the products stands as `rewrite` says. A node or constant that several of them name is kept once;
 * constants that nothing reads any longer are left out.
 */
export function rewriteProducts(
  graph: Graph,
  products: readonly LinearProduct[],
  rewrite: (product: LinearProduct) => Rewritten,
): Graph {
  const byNode = new Map(products.map((product) => [product.node, product]));
  const sums = new Set(products.flatMap(({ sum }) => sum?.node ?? []));
  const nodes = new Map<string, OnnxNode>();
  const constants = new Map(graph.constants.map((constant) => [constant.name, constant]));
  for (const node of graph.nodes) {
    if (sums.has(node)) continue;
    const product = byNode.get(node);
    const rewritten = product === undefined ? { nodes: [node], constants: [] } : rewrite(product);
    for (const each of rewritten.nodes) if (!nodes.has(each.name)) nodes.set(each.name, each);
    for (const each of rewritten.constants) if (!constants.has(each.name)) constants.set(each.name, each);
  }
  const read = new Set([...nodes.values()].flatMap(({ inputs }) => inputs));
  return {
    inputs: graph.inputs,
    outputs: graph.outputs,
    nodes: [...nodes.values()],
    constants: [...constants.values()].filter(({ name }) => read.has(name)),
  };
}
