import { ServiceError } from '../../contracts/errors.ts';
import { DATA_TYPE } from '../../formats/onnx/data-types.ts';
import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import { toBfloat16, toFloat16 } from '../weights/narrow-floats.ts';
import { elementCount, type Weight } from '../weights/weight.ts';
import { type Graph, type GraphConstant, isWeight, type StoredWeight } from './graph.ts';

export type NarrowType = 'FLOAT16' | 'BFLOAT16';

/** Norms and biases decide much and hold little: one in float16 would save less than its operator costs. */
const SMALLEST_NARROWED = 1024;

const NARROW = { FLOAT16: toFloat16, BFLOAT16: toBfloat16 } satisfies Record<
  NarrowType,
  (values: Float32Array) => Uint16Array | undefined
>;

function* narrowPieces(weight: Weight, type: NarrowType): Iterable<Uint8Array> {
  for (const chunk of weight.chunks()) {
    const narrow = NARROW[type](chunk);
    if (narrow === undefined) {
      throw new ServiceError(
        'compile_failed',
        `weight '${weight.name}' holds numbers that ${type.toLowerCase()} has no room for; use another dtype`,
      );
    }
    yield new Uint8Array(narrow.buffer);
  }
}

function narrowed(weight: Weight, type: NarrowType): StoredWeight {
  const { name, dims } = weight;
  return { name: `${name}:${type}`, dims, elementType: type, bytePieces: () => narrowPieces(weight, type) };
}

function isNarrowable(constant: GraphConstant): constant is Weight {
  return isWeight(constant) && constant.isComputed !== true && elementCount(constant.dims) >= SMALLEST_NARROWED;
}

function widen(input: string, output: string): OnnxNode {
  const attributes = { to: { int: DATA_TYPE.FLOAT } };
  return { name: `${output}:widened`, operator: 'Cast', domain: '', inputs: [input], outputs: [output], attributes };
}

/** Weights of which only rows are ever looked up. */
function lookedUpOnly({ nodes }: Graph): (name: string) => boolean {
  const tables = new Set(nodes.filter(({ operator }) => operator === 'Gather').map(({ inputs }) => inputs[0]));
  const others = new Set(nodes.flatMap(({ operator, inputs }) => (operator === 'Gather' ? inputs.slice(1) : inputs)));
  return (name) => tables.has(name) && !others.has(name);
}

/**
 * The same graph with its large weights stored in half the bytes, and computing in float32: a matrix is widened when the
 * graph is opened, a table row by row when it is looked up. Weights that came from the type keep their bits.
 */
export function narrowWeights(graph: Graph, type: NarrowType): Graph {
  const isTable = lookedUpOnly(graph);
  const narrow = new Map(graph.constants.filter(isNarrowable).map((weight) => [weight.name, narrowed(weight, type)]));
  const matrices = [...narrow].filter(([name]) => !isTable(name));
  const nodes = graph.nodes.flatMap((node): readonly OnnxNode[] => {
    const [data = '', ...others] = node.inputs;
    const table = node.operator === 'Gather' && isTable(data) ? narrow.get(data) : undefined;
    const [output] = node.outputs;
    if (table === undefined || output === undefined) return [node];
    const rows = `${output}:${type}`;
    return [{ ...node, inputs: [table.name, ...others], outputs: [rows] }, widen(rows, output)];
  });
  return {
    ...graph,
    nodes: [...matrices.map(([name, weight]) => widen(weight.name, name)), ...nodes],
    constants: graph.constants.map((constant) => narrow.get(constant.name) ?? constant),
  };
}
