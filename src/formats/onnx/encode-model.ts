/**
 * ModelProto in protobuf, written field by field: the format has a few dozen fields and we need half of them.
 * Source of every field number: https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { DATA_TYPE } from './data-types.ts';
import type { Dimension, OnnxAttribute, OnnxInitializer, OnnxModel, OnnxNode, OnnxValueInfo } from './onnx-model.ts';
import { bytes, integer, message, text } from './proto-fields.ts';

export const IR_VERSION = 9;
export const PRODUCER = 'infinity-ts';
/** Of the standard operators. */
export const OPERATOR_SET = 17;
/** Version of each domain. */
export const OPERATOR_SETS: ReadonlyMap<string, number> = new Map([
  ['', OPERATOR_SET],
  ['com.microsoft', 1],
]);

/** AttributeProto.AttributeType */
const ATTRIBUTE_TYPE = { FLOAT: 1, INT: 2, STRING: 3, INTS: 7 };
/** TensorProto.DataLocation.EXTERNAL */
const EXTERNAL = 1;

function writeAttribute(writer: BinaryWriter, name: string, attribute: OnnxAttribute): void {
  text(writer, 1, name);
  if ('float' in attribute) {
    writer.tag(2, WireType.Bit32).float(attribute.float);
    integer(writer, 20, ATTRIBUTE_TYPE.FLOAT);
  } else if ('int' in attribute) {
    integer(writer, 3, attribute.int);
    integer(writer, 20, ATTRIBUTE_TYPE.INT);
  } else if ('text' in attribute) {
    text(writer, 4, attribute.text);
    integer(writer, 20, ATTRIBUTE_TYPE.STRING);
  } else {
    for (const value of attribute.ints) integer(writer, 8, value);
    integer(writer, 20, ATTRIBUTE_TYPE.INTS);
  }
}

export function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const input of node.inputs) text(writer, 1, input);
  for (const output of node.outputs) text(writer, 2, output);
  text(writer, 3, node.name);
  text(writer, 4, node.operator);
  for (const [name, attribute] of Object.entries(node.attributes)) {
    message(writer, 5, (inner) => writeAttribute(inner, name, attribute));
  }
  if (node.domain !== '') text(writer, 7, node.domain);
}

function writeKeyAndValue(writer: BinaryWriter, key: string, value: string): void {
  text(writer, 1, key);
  text(writer, 2, value);
}

/** A weight of any of the format's element types. */
export interface TensorFields extends Omit<OnnxInitializer, 'elementType'> {
  /** TensorProto.DataType */
  readonly dataType: number;
}

export function writeTensor(writer: BinaryWriter, tensor: TensorFields): void {
  for (const size of tensor.dims) integer(writer, 1, size);
  integer(writer, 2, tensor.dataType);
  text(writer, 8, tensor.name);
  const { data } = tensor;
  if (data instanceof Uint8Array) {
    bytes(writer, 9, data);
    return;
  }
  message(writer, 13, (inner) => writeKeyAndValue(inner, 'location', data.fileName));
  message(writer, 13, (inner) => writeKeyAndValue(inner, 'offset', String(data.byteOffset)));
  message(writer, 13, (inner) => writeKeyAndValue(inner, 'length', String(data.byteLength)));
  integer(writer, 14, EXTERNAL);
}

export function writeInitializer(writer: BinaryWriter, initializer: OnnxInitializer): void {
  writeTensor(writer, { ...initializer, dataType: DATA_TYPE[initializer.elementType] });
}

function writeDimension(writer: BinaryWriter, dimension: Dimension): void {
  if (typeof dimension === 'number') integer(writer, 1, dimension);
  else text(writer, 2, dimension);
}

/** ValueInfoProto { name, type: TypeProto { tensor_type: { elem_type, shape: { dim } } } } */
export function writeValueInfo(writer: BinaryWriter, value: OnnxValueInfo): void {
  text(writer, 1, value.name);
  message(writer, 2, (type) =>
    message(type, 1, (tensor) => {
      integer(tensor, 1, DATA_TYPE[value.elementType]);
      message(tensor, 2, (shape) => {
        for (const dimension of value.dims) message(shape, 1, (inner) => writeDimension(inner, dimension));
      });
    }),
  );
}

function writeGraph(writer: BinaryWriter, model: OnnxModel): void {
  for (const node of model.nodes) message(writer, 1, (inner) => writeNode(inner, node));
  text(writer, 2, model.name);
  for (const initializer of model.initializers) message(writer, 5, (inner) => writeInitializer(inner, initializer));
  for (const input of model.inputs) message(writer, 11, (inner) => writeValueInfo(inner, input));
  for (const output of model.outputs) message(writer, 12, (inner) => writeValueInfo(inner, output));
}

/** OperatorSetIdProto, a field of the model */
export function writeOperatorSet(writer: BinaryWriter, domain: string, version: number): void {
  message(writer, 8, (inner) => {
    text(inner, 1, domain);
    integer(inner, 2, version);
  });
}

/** The bytes of an `.onnx` file. Weights in files beside it are named, not read. */
export function encodeModel(model: OnnxModel, operatorSets = OPERATOR_SETS): Uint8Array {
  const writer = new BinaryWriter();
  integer(writer, 1, IR_VERSION);
  text(writer, 2, PRODUCER);
  message(writer, 7, (graph) => writeGraph(graph, model));
  for (const [domain, version] of operatorSets) writeOperatorSet(writer, domain, version);
  return writer.finish();
}
