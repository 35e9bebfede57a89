import { closeSync, fstatSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import { encodeExtendedModel } from '../../formats/onnx/encode-extended-model.ts';
import type { TensorFields } from '../../formats/onnx/encode-model.ts';
import type { FileTensor, OnnxFile } from '../../formats/onnx/onnx-file.ts';
import { TO_THE_END } from '../../formats/onnx/read-external-data.ts';
import { createWeightsFile, type WeightsFile } from '../../formats/onnx/weights-file.ts';
import { readExactly } from '../../formats/read-exactly.ts';
import type { Graph } from '../graph/graph.ts';
import { GRAPH_FILE, INLINE_LIMIT_BYTES, initializerOf, WEIGHTS_FILE } from '../graph/write-graph.ts';

/** Bounds what a copy holds in memory. */
const PIECE_BYTES = 4 * 2 ** 20;

/** A graph that was built around a ready-made one: in both, a value is what its name says. */
export interface ExtendedGraph {
  readonly file: OnnxFile;
  /** Absolute path of the file. */
  readonly filePath: string;
  readonly ours: Graph;
}

interface Place {
  readonly filePath: string;
  readonly start: number;
  readonly length: number;
}

/** The files of a model, each opened once. */
class OpenFiles {
  readonly #descriptors = new Map<string, number>();

  descriptor(filePath: string): number {
    const found = this.#descriptors.get(filePath);
    if (found !== undefined) return found;
    const fd = openSync(filePath, 'r');
    this.#descriptors.set(filePath, fd);
    return fd;
  }

  close(): void {
    for (const fd of this.#descriptors.values()) closeSync(fd);
  }

  *pieces({ filePath, start, length }: Place): Iterable<Uint8Array> {
    const fd = this.descriptor(filePath);
    const tooShort = (size: number) => {
      const name = path.basename(filePath);
      return new ServiceError('invalid_checkpoint', `${name} has ${size} bytes, expected ${start + length} or more`);
    };
    const { size } = fstatSync(fd);
    if (start + length > size) throw tooShort(size);
    for (let done = 0; done < length; done += PIECE_BYTES) {
      yield readExactly(fd, start + done, Math.min(PIECE_BYTES, length - done), tooShort);
    }
  }
}

function placeOf({ data }: FileTensor, filePath: string, files: OpenFiles): Place {
  if (data.kind !== 'external') {
    const { start, end } = data.region;
    return { filePath, start, length: end - start };
  }
  const { fileName, byteOffset: start, byteLength } = data.place;
  const external = path.join(path.dirname(filePath), fileName);
  const size = byteLength === TO_THE_END ? fstatSync(files.descriptor(external)).size : 0;
  return { filePath: external, start, length: byteLength === TO_THE_END ? Math.max(0, size - start) : byteLength };
}

/** Copies the file's weights to where the graph's own are: on pages of their own, so that they are mapped and not read. */
function copied(
  tensor: FileTensor,
  filePath: string,
  files: OpenFiles,
  weights: WeightsFile,
): TensorFields | Uint8Array {
  const { name, dims, dataType } = tensor;
  const place = placeOf(tensor, filePath, files);
  if (tensor.data.kind === 'message') return Buffer.concat([...files.pieces(place)]);
  if (place.length <= INLINE_LIMIT_BYTES) {
    return { name, dims, dataType, data: Buffer.concat([...files.pieces(place)]) };
  }
  return { name, dims, dataType, data: weights.append(files.pieces(place)) };
}

/** Nodes that take, directly or not, what the file gives come after it; the others before. */
function splitAtFile({ nodes }: Graph, file: OnnxFile) {
  const later = new Set(file.outputs.map(({ name }) => name));
  const before = [];
  const after = [];
  for (const node of nodes) {
    if (!node.inputs.some((name) => later.has(name))) {
      before.push(node);
      continue;
    }
    after.push(node);
    for (const name of node.outputs) later.add(name);
  }
  return { before, after };
}

/**
 * Writes a ready-made graph and what was built around it, with all weights in one file beside it, into an empty folder;
 * returns the graph's path. No weight is changed, and memory holds a few megabytes of them.
 */
export async function writeExtendedGraph(
  graph: ExtendedGraph,
  modelName: string,
  outputFolder: string,
): Promise<string> {
  const { file, filePath, ours } = graph;
  const files = new OpenFiles();
  const weights = createWeightsFile(path.join(outputFolder, WEIGHTS_FILE));
  try {
    const fileInitializers = file.initializers.map((tensor) => copied(tensor, filePath, files, weights));
    const initializers = ours.constants.map((constant) => initializerOf(constant, weights));
    const { inputs, outputs } = ours;
    const model = {
      name: modelName,
      file,
      fileInitializers,
      initializers,
      inputs,
      outputs,
      ...splitAtFile(ours, file),
    };
    const graphPath = path.join(outputFolder, GRAPH_FILE);
    await writeFile(graphPath, encodeExtendedModel(model), { flag: 'wx' });
    return graphPath;
  } finally {
    weights.close();
    files.close();
  }
}
