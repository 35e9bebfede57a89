import { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  IR_VERSION,
  OPERATOR_SETS,
  PRODUCER,
  type TensorFields,
  writeInitializer,
  writeNode,
  writeOperatorSet,
  writeTensor,
  writeValueInfo,
} from './encode-model.ts';
import type { OnnxFile } from './onnx-file.ts';
import type { OnnxInitializer, OnnxModel, OnnxNode } from './onnx-model.ts';
import { bytes, integer, message, text } from './proto-fields.ts';

/** A ready-made graph between nodes of ours. Names must not meet, but for those that tie the two together. */
export interface ExtendedModel {
  readonly name: string;
  readonly file: OnnxFile;
  /** The file's weights where they lie now; a whole TensorProto as it was in the file. */
  readonly fileInitializers: readonly (TensorFields | Uint8Array)[];
  /** Nodes that make the file's inputs. */
  readonly before: readonly OnnxNode[];
  /** Nodes that take the file's outputs. */
  readonly after: readonly OnnxNode[];
  readonly initializers: readonly OnnxInitializer[];
  readonly inputs: OnnxModel['inputs'];
  readonly outputs: OnnxModel['outputs'];
}

function writeGraph(writer: BinaryWriter, model: ExtendedModel): void {
  for (const node of model.before) message(writer, 1, (inner) => writeNode(inner, node));
  for (const node of model.file.nodes) bytes(writer, 1, node);
  for (const node of model.after) message(writer, 1, (inner) => writeNode(inner, node));
  text(writer, 2, model.name);
  for (const tensor of model.fileInitializers) {
    if (tensor instanceof Uint8Array) bytes(writer, 5, tensor);
    else message(writer, 5, (inner) => writeTensor(inner, tensor));
  }
  for (const initializer of model.initializers) message(writer, 5, (inner) => writeInitializer(inner, initializer));
  for (const input of model.inputs) message(writer, 11, (inner) => writeValueInfo(inner, input));
  for (const output of model.outputs) message(writer, 12, (inner) => writeValueInfo(inner, output));
  for (const info of model.file.valueInfos) bytes(writer, 13, info);
}

/** The bytes of an `.onnx` file that holds a ready-made graph and what was put before and after it. */
export function encodeExtendedModel(model: ExtendedModel): Uint8Array {
  const { file } = model;
  const writer = new BinaryWriter();
  integer(writer, 1, Math.max(file.irVersion, IR_VERSION));
  text(writer, 2, PRODUCER);
  message(writer, 7, (graph) => writeGraph(graph, model));
  for (const [domain, version] of new Map([...OPERATOR_SETS, ...file.operatorSets])) {
    writeOperatorSet(writer, domain, version);
  }
  for (const each of file.functions) bytes(writer, 25, each);
  return writer.finish();
}
