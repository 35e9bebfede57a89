import type { Dimension, ElementType, OnnxNode, OnnxValueInfo } from '../../formats/onnx/onnx-model.ts';
import type { Weight } from '../weights/weight.ts';

/** An edge of the graph: what a node, an input or a constant yields. */
export interface Value {
  readonly name: string;
  readonly dims: readonly Dimension[];
}

/** Small whole numbers that operators take as inputs: axes, starts, shapes. */
export interface IntegerConstant {
  readonly name: string;
  readonly dims: readonly number[];
  readonly integers: readonly number[];
}

export function integerConstant(values: readonly number[]): IntegerConstant {
  return { name: `integers:${values.join(',')}`, dims: [values.length], integers: values };
}

/** A weight in the element type in which the graph stores it. */
export interface StoredWeight {
  readonly name: string;
  readonly dims: readonly number[];
  readonly elementType: ElementType;
  /** Little-endian, in order, in pieces of any size. */
  bytePieces(): Iterable<Uint8Array>;
}

export type GraphConstant = Weight | StoredWeight | IntegerConstant;

export function isWeight(constant: GraphConstant): constant is Weight {
  return 'chunks' in constant;
}

/** A whole model as plain data; the weights in it are not read before the graph is written. */
export interface Graph {
  readonly inputs: readonly OnnxValueInfo[];
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly GraphConstant[];
  readonly outputs: readonly OnnxValueInfo[];
}

export type { Dimension, ElementType };
