import type { Graph } from '../graph/graph.ts';

/** The same graph with every value, weight, input and output called by the name that `rename` gives it. */
export function renameValues(graph: Graph, rename: (name: string) => string): Graph {
  const all = (names: readonly string[]) => names.map((name) => (name === '' ? name : rename(name)));
  return {
    inputs: graph.inputs.map((input) => ({ ...input, name: rename(input.name) })),
    outputs: graph.outputs.map((output) => ({ ...output, name: rename(output.name) })),
    constants: graph.constants.map((constant) => ({ ...constant, name: rename(constant.name) })),
    nodes: graph.nodes.map((node) => ({
      ...node,
      name: rename(node.name),
      inputs: all(node.inputs),
      outputs: all(node.outputs),
    })),
  };
}
