import { ServiceError } from '../../contracts/errors.ts';
import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import { type Graph, type GraphConstant, integerConstant } from '../graph/graph.ts';

/** Range, and axes that count from the end, are in none before it. */
const OLDEST = 11;

/** Operators of which the axes became an input with this operator set; before, they were an attribute. */
const AXES_AS_INPUT_SINCE: ReadonlyMap<string, number> = new Map([
  ['ReduceSum', 13],
  ['Squeeze', 13],
  ['Unsqueeze', 13],
  ['ReduceMax', 18],
  ['ReduceMean', 18],
]);

/** Shape gives a part of the sizes since this one; before, the part is cut out of all. */
const SHAPE_OF_A_PART_SINCE = 15;

type Constants = Map<string, GraphConstant>;

function withConstant(constants: Constants, values: readonly number[]): string {
  const constant = integerConstant(values);
  constants.set(constant.name, constant);
  return constant.name;
}

function withAxes(node: OnnxNode, since: number, version: number, constants: Constants): OnnxNode {
  const [data = '', axesName = ''] = node.inputs;
  const { axes, ...attributes } = node.attributes;
  const given = constants.get(axesName);
  if (version < since && given !== undefined && 'integers' in given) {
    return { ...node, inputs: [data], attributes: { ...node.attributes, axes: { ints: given.integers } } };
  }
  if (version >= since && axes !== undefined && 'ints' in axes) {
    return { ...node, inputs: [data, withConstant(constants, axes.ints)], attributes };
  }
  return node;
}

function shapeOfAPart(node: OnnxNode, constants: Constants): readonly OnnxNode[] {
  const { start, end } = node.attributes;
  if (start === undefined || end === undefined || !('int' in start) || !('int' in end)) return [node];
  const all = `${node.name}:all`;
  const inputs = [all, ...[start.int, end.int].map((limit) => withConstant(constants, [limit]))];
  return [
    { ...node, outputs: [all], attributes: {} },
    { ...node, name: `${node.name}:part`, operator: 'Slice', inputs, attributes: {} },
  ];
}

/**
 * The same graph in the operator set of another, which it is to become part of: layers are written for version 17. Throws
 * `unsupported_architecture` for one that is too old.
 */
export function forOperatorSet(graph: Graph, version: number): Graph {
  if (version < OLDEST) {
    throw new ServiceError(
      'unsupported_architecture',
      `the ONNX file has operator set ${version}, expected ${OLDEST} or newer`,
    );
  }
  const constants: Constants = new Map(graph.constants.map((constant) => [constant.name, constant]));
  const nodes = graph.nodes.flatMap((node): readonly OnnxNode[] => {
    if (node.operator === 'Shape' && version < SHAPE_OF_A_PART_SINCE) return shapeOfAPart(node, constants);
    const since = AXES_AS_INPUT_SINCE.get(node.operator);
    return [since === undefined ? node : withAxes(node, since, version, constants)];
  });
  return { ...graph, nodes, constants: [...constants.values()] };
}
