import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import { encodeModel } from '../../formats/onnx/encode-model.ts';
import type { OnnxInitializer } from '../../formats/onnx/onnx-model.ts';
import { createWeightsFile, type WeightsFile } from '../../formats/onnx/weights-file.ts';
import { readWhole } from '../weights/read-whole.ts';
import { elementCount, type Weight } from '../weights/weight.ts';
import type { Graph, GraphConstant } from './graph.ts';

const GRAPH_FILE = 'graph.onnx';
const WEIGHTS_FILE = 'weights.bin';

/** Up to this size a weight stays inside the graph: a page of its own would cost more than it holds. */
const INLINE_LIMIT_BYTES = 4096;

const BYTES_PER_FLOAT = Float32Array.BYTES_PER_ELEMENT;

function asBytes(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function* bytePieces(weight: Weight): Iterable<Uint8Array> {
  for (const chunk of weight.chunks()) yield asBytes(chunk);
}

function initializerOf(constant: GraphConstant, weightsFile: WeightsFile): OnnxInitializer {
  const { name, dims } = constant;
  if ('integers' in constant) {
    return { name, dims, elementType: 'INT64', data: asBytes(BigInt64Array.from(constant.integers, BigInt)) };
  }
  const byteLength = elementCount(dims) * BYTES_PER_FLOAT;
  if (byteLength <= INLINE_LIMIT_BYTES) {
    return { name, dims, elementType: 'FLOAT', data: asBytes(readWhole(constant)) };
  }
  const data = weightsFile.append(bytePieces(constant));
  if (data.byteLength !== byteLength) {
    throw new ServiceError(
      'compile_failed',
      `weight '${name}' came to ${data.byteLength} bytes, expected ${byteLength} for [${dims.join(', ')}]`,
    );
  }
  return { name, dims, elementType: 'FLOAT', data };
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
