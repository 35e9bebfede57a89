import type { ElementType, Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

/** Numbers of TensorProto.DataType: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto3 */
const NUMBER_OF_TYPE: Readonly<Record<ElementType, number>> = { FLOAT: 1, INT32: 6, INT64: 7 };

/** The same numbers in another type; true and false become 1 and 0. */
export function cast(g: GraphBuilder, x: Value, elementType: ElementType): Value {
  return g.node('Cast', [x], { attributes: { to: { int: NUMBER_OF_TYPE[elementType] } } });
}
