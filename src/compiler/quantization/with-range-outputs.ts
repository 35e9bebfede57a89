import type { RangeOutput } from '../../contracts/activation-ranges.ts';
import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import { type Graph, type GraphConstant, integerConstant } from '../graph/graph.ts';
import { nodeOf } from './graph-parts.ts';
import { linearProducts } from './linear-products.ts';

export interface RangeGraph {
  readonly graph: Graph;
  readonly ranges: readonly RangeOutput[];
}

/** Over all rows, whatever stands before the channels. */
function reduction(operator: 'ReduceMin' | 'ReduceMax', x: string, result: string): OnnxNode {
  return nodeOf(operator, [`${x}:rows`], result, { attributes: { axes: { ints: [0] }, keepdims: { int: 0 } } });
}

/**
 * The graph with the range of what each linear layer multiplies among its outputs, reduced in the graph: a run hands out
 * a few numbers for each channel instead of all activations.
 */
export function withRangeOutputs(graph: Graph): RangeGraph {
  const widths = new Map(linearProducts(graph).map(({ x, weight }) => [x, weight.dims[0] ?? 0]));
  const nodes = [...graph.nodes];
  const outputs = [...graph.outputs];
  const constants = new Map<string, GraphConstant>(graph.constants.map((constant) => [constant.name, constant]));
  const ranges = [...widths].map(([value, width]): RangeOutput => {
    const range = { value, min: `${value}:min`, max: `${value}:max` };
    const zeros = { name: `zeros:${width}`, dims: [1, width], chunks: () => [new Float32Array(width)] };
    const shape = integerConstant([-1, width]);
    constants.set(zeros.name, zeros);
    constants.set(shape.name, shape);
    nodes.push(
      nodeOf('Reshape', [value, shape.name], `${value}:flat`),
      nodeOf('Concat', [`${value}:flat`, zeros.name], `${value}:rows`, { attributes: { axis: { int: 0 } } }),
      reduction('ReduceMin', value, range.min),
      reduction('ReduceMax', value, range.max),
    );
    for (const name of [range.min, range.max]) outputs.push({ name, elementType: 'FLOAT', dims: [width] });
    return range;
  });
  return { graph: { ...graph, nodes, outputs, constants: [...constants.values()] }, ranges };
}
