/** Source of every field number: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto3 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { ServiceError } from '../../contracts/errors.ts';
import type { FileTensor, FileTensorData, FileValue, OnnxFile } from './onnx-file.ts';
import { ProtoFile, type Region } from './proto-file.ts';
import { readExternalData } from './read-external-data.ts';

/** Guards memory: the graph itself, without weights, is a few MB for the largest text models. */
const MAX_GRAPH_BYTES = 256 * 2 ** 20;
/** A mixture of experts of 100 layers has some ten thousand. */
const MAX_PARTS = 1_000_000;

/** The long name of the domain that is usually left empty. */
const STANDARD_DOMAIN = 'ai.onnx';

function readDimension(file: ProtoFile, region: Region): number | string {
  for (const { number, value, region: inner } of file.fields(region)) {
    if (number === 1) return value;
    if (number === 2) return file.text(inner);
  }
  return '';
}

function messagesOf(file: ProtoFile, region: Region, wanted: number): readonly Region[] {
  return [...file.fields(region)].filter(({ number }) => number === wanted).map((field) => field.region);
}

/** ValueInfoProto { name, type: TypeProto { tensor_type: { elem_type, shape: { dim } } } } */
function readValue(file: ProtoFile, region: Region): FileValue {
  const [name] = messagesOf(file, region, 1);
  const [type] = messagesOf(file, region, 2);
  const [tensor] = type === undefined ? [] : messagesOf(file, type, 1);
  const fields = tensor === undefined ? [] : [...file.fields(tensor)];
  const shape = fields.find(({ number }) => number === 2)?.region;
  return {
    name: name === undefined ? '' : file.text(name),
    dataType: fields.find(({ number }) => number === 1)?.value ?? 0,
    dims: shape === undefined ? undefined : messagesOf(file, shape, 1).map((dim) => readDimension(file, dim)),
  };
}

/** `dims` is packed or not, as the writer liked. */
function readDims(file: ProtoFile, region: Region, value: number): readonly number[] {
  if (region.start === region.end) return [value];
  const dims: number[] = [];
  let number = 0;
  let factor = 1;
  for (const byte of file.bytes(region)) {
    number += (byte & 0x7f) * factor;
    factor *= 128;
    if (byte >= 0x80) continue;
    dims.push(number);
    number = 0;
    factor = 1;
  }
  return dims;
}

/** TensorProto */
function readTensor(file: ProtoFile, region: Region): FileTensor {
  let name = '';
  let dataType = 0;
  let isExternal = false;
  let raw: Region | undefined;
  const dims: number[] = [];
  const places: Region[] = [];
  for (const { number, value, region: inner } of file.fields(region)) {
    if (number === 1) dims.push(...readDims(file, inner, value));
    else if (number === 2) dataType = value;
    else if (number === 8) name = file.text(inner);
    else if (number === 9) raw = inner;
    else if (number === 13) places.push(inner);
    else if (number === 14) isExternal = value === 1;
  }
  const data = (): FileTensorData => {
    if (isExternal) return { kind: 'external', place: readExternalData(file, places, name) };
    return raw === undefined ? { kind: 'message', region } : { kind: 'here', region: raw };
  };
  return { name, dims, dataType, data: data() };
}

interface GraphParts {
  readonly inputs: FileValue[];
  readonly outputs: FileValue[];
  readonly initializers: FileTensor[];
  readonly operators: Set<string>;
  readonly nodes: Uint8Array[];
  readonly valueInfos: Uint8Array[];
}

class GraphBudget {
  #bytes = 0;
  #parts = 0;
  readonly #file: ProtoFile;

  constructor(file: ProtoFile) {
    this.#file = file;
  }

  take({ start, end }: Region): Uint8Array {
    this.#bytes += end - start;
    if (this.#bytes > MAX_GRAPH_BYTES) throw this.#file.damaged(`got a graph of more than ${MAX_GRAPH_BYTES} bytes`);
    return this.#file.bytes({ start, end });
  }

  count(): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw this.#file.damaged(`got a graph of more than ${MAX_PARTS} parts`);
  }
}

function readGraph(file: ProtoFile, region: Region, budget: GraphBudget): GraphParts {
  const parts: GraphParts = {
    inputs: [],
    outputs: [],
    initializers: [],
    operators: new Set(),
    nodes: [],
    valueInfos: [],
  };
  for (const { number, region: inner } of file.fields(region)) {
    budget.count();
    if (number === 1) {
      parts.nodes.push(budget.take(inner));
      const [operator] = messagesOf(file, inner, 4);
      if (operator !== undefined) parts.operators.add(file.text(operator));
    } else if (number === 5) parts.initializers.push(readTensor(file, inner));
    else if (number === 11) parts.inputs.push(readValue(file, inner));
    else if (number === 12) parts.outputs.push(readValue(file, inner));
    else if (number === 13) parts.valueInfos.push(budget.take(inner));
    else if (number === 15) throw file.damaged('got sparse weights, which are not supported');
  }
  return parts;
}

/** OperatorSetIdProto { domain, version } */
function readOperatorSet(file: ProtoFile, region: Region): readonly [string, number] {
  const fields = [...file.fields(region)];
  const domain = fields.find(({ number }) => number === 1)?.region;
  const name = domain === undefined ? '' : file.text(domain);
  return [name === STANDARD_DOMAIN ? '' : name, fields.find(({ number }) => number === 2)?.value ?? 0];
}

/** ModelProto */
function readModel(file: ProtoFile): OnnxFile {
  const budget = new GraphBudget(file);
  const operatorSets = new Map<string, number>();
  const functions: Uint8Array[] = [];
  let irVersion = 0;
  let graph: GraphParts | undefined;
  for (const { number, value, region } of file.fields({ start: 0, end: file.size })) {
    if (number === 1) irVersion = value;
    else if (number === 7) graph = readGraph(file, region, budget);
    else if (number === 8) operatorSets.set(...readOperatorSet(file, region));
    else if (number === 25) functions.push(budget.take(region));
  }
  if (graph === undefined || graph.nodes.length === 0) throw file.damaged('got a file without a graph');
  const weights = new Set(graph.initializers.map(({ name }) => name));
  const inputs = graph.inputs.filter(({ name }) => !weights.has(name));
  return { ...graph, irVersion, operatorSets, functions, inputs };
}

/**
 * Reads what an `.onnx` file says and where its weights lie; the weights themselves are not read. `fileName` is for
 * messages. Throws `invalid_checkpoint` where it is no ONNX model, or out of bounds.
 */
export function readOnnxFile(filePath: string, fileName: string): OnnxFile {
  const fd = openOrRefuse(filePath, fileName);
  try {
    return readModel(new ProtoFile(fd, fstatSync(fd).size, fileName));
  } finally {
    closeSync(fd);
  }
}

function openOrRefuse(filePath: string, fileName: string): number {
  try {
    return openSync(filePath, 'r');
  } catch (cause) {
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be opened`, { cause });
  }
}
