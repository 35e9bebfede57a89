import { DATA_TYPE } from '../../formats/onnx/data-types.ts';
import type { ElementType, Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

/** The same numbers in another type; true and false become 1 and 0. */
export function cast(g: GraphBuilder, x: Value, elementType: ElementType): Value {
  return g.node('Cast', [x], { attributes: { to: { int: DATA_TYPE[elementType] } } });
}
