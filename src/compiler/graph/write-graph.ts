import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import { encodeModel } from '../../formats/onnx/encode-model.ts';
import type { ElementType, OnnxInitializer } from '../../formats/onnx/onnx-model.ts';
import { createWeightsFile, type WeightsFile } from '../../formats/onnx/weights-file.ts';
import { elementCount, type Weight } from '../weights/weight.ts';
import { type Graph, type GraphConstant, isWeight, type StoredWeight } from './graph.ts';

export const GRAPH_FILE = 'graph.onnx';
export const WEIGHTS_FILE = 'weights.bin';

/** Up to this size a weight stays inside the graph: a page of its own would cost more than it holds. */
export const INLINE_LIMIT_BYTES = 4096;

const ELEMENT_BYTES = {
  FLOAT: 4,
  UINT8: 1,
  INT8: 1,
  FLOAT16: 2,
  BFLOAT16: 2,
  INT32: 4,
  INT64: 8,
} satisfies Record<ElementType, number>;

function asBytes(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function* floatBytes(weight: Weight): Iterable<Uint8Array> {
  for (const chunk of weight.chunks()) yield asBytes(chunk);
}

function inFloat32(weight: Weight): StoredWeight {
  const { name, dims } = weight;
  return { name, dims, elementType: 'FLOAT', bytePieces: () => floatBytes(weight) };
}

function wrongSize({ name, dims }: StoredWeight, actual: number, expected: number): ServiceError {
  return new ServiceError(
    'compile_failed',
    `weight '${name}' came to ${actual} bytes, expected ${expected} for [${dims.join(', ')}]`,
  );
}

export function initializerOf(constant: GraphConstant, weightsFile: WeightsFile): OnnxInitializer {
  const { name, dims } = constant;
  if ('integers' in constant) {
    return { name, dims, elementType: 'INT64', data: asBytes(BigInt64Array.from(constant.integers, BigInt)) };
  }
  const stored = isWeight(constant) ? inFloat32(constant) : constant;
  const { elementType } = stored;
  const byteLength = elementCount(dims) * ELEMENT_BYTES[elementType];
  if (byteLength <= INLINE_LIMIT_BYTES) {
    const data = Buffer.concat([...stored.bytePieces()]);
    if (data.length !== byteLength) throw wrongSize(stored, data.length, byteLength);
    return { name, dims, elementType, data };
  }
  const data = weightsFile.append(stored.bytePieces());
  if (data.byteLength !== byteLength) throw wrongSize(stored, data.byteLength, byteLength);
  return { name, dims, elementType, data };
}

/**
 * Writes a graph and the weights beside it into an empty folder and returns the graph's path. Weights stream from the
 * checkpoint to the file: memory holds one matrix at a time.
 */
export async function writeGraph(graph: Graph, modelName: string, outputFolder: string): Promise<string> {
  const weightsFile = createWeightsFile(path.join(outputFolder, WEIGHTS_FILE));
  try {
    const initializers = graph.constants.map((constant) => initializerOf(constant, weightsFile));
    const { nodes, inputs, outputs } = graph;
    const graphPath = path.join(outputFolder, GRAPH_FILE);
    await writeFile(graphPath, encodeModel({ name: modelName, nodes, initializers, inputs, outputs }), { flag: 'wx' });
    return graphPath;
  } finally {
    weightsFile.close();
  }
}
