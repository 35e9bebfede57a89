import type { OnnxAttribute, OnnxNode } from '../../formats/onnx/onnx-model.ts';
import type { StoredWeight } from '../graph/graph.ts';
import type { Weight } from '../weights/weight.ts';

/** Steps of an unsigned number of 8 bits. */
export const STEPS = 255;

interface NodeParts {
  readonly domain?: OnnxNode['domain'];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

/** An operator that is named after its result. */
export function nodeOf(
  operator: string,
  inputs: readonly string[],
  result: string,
  { domain = '', attributes = {} }: NodeParts = {},
): OnnxNode {
  return { name: `${result}:${operator}`, operator, domain, inputs, outputs: [result], attributes };
}

export function scalar(value: number): Weight {
  return { name: `scalar:${value}`, dims: [], chunks: () => [Float32Array.of(value)] };
}

/** A zero point: `[]`, or `[1]` where it is to be expanded. */
export function zeroPoint(value: number, dims: readonly number[] = []): StoredWeight {
  return {
    name: `zero point:${value}:${dims.length}`,
    dims,
    elementType: 'UINT8',
    bytePieces: () => [Uint8Array.of(value)],
  };
}
