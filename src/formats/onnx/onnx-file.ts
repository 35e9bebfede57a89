import { DATA_TYPE } from './data-types.ts';
import type { ExternalData } from './onnx-model.ts';
import type { Region } from './proto-file.ts';

/** A value that a ready-made graph takes or gives. */
export interface FileValue {
  readonly name: string;
  /** TensorProto.DataType */
  readonly dataType: number;
  /** `undefined` where the file does not say the rank; a text for a size that is known only when the graph runs. */
  readonly dims: readonly (number | string)[] | undefined;
}

/** Where the numbers of a weight are; none of them has been read. */
export type FileTensorData =
  | { readonly kind: 'here'; readonly region: Region }
  | { readonly kind: 'external'; readonly place: ExternalData }
  /** In a field for one type: the whole TensorProto. */
  | { readonly kind: 'message'; readonly region: Region };

export interface FileTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly dataType: number;
  readonly data: FileTensorData;
}

/** What a ready-made `.onnx` file says, without its weights. */
export interface OnnxFile {
  readonly irVersion: number;
  /** Version of each domain; the standard operators have the empty one. */
  readonly operatorSets: ReadonlyMap<string, number>;
  /** Those that must be fed: weights that are listed as inputs are left out. */
  readonly inputs: readonly FileValue[];
  readonly outputs: readonly FileValue[];
  readonly initializers: readonly FileTensor[];
  /** Names of the operators. */
  readonly operators: ReadonlySet<string>;
  /** Each as it is in the file. */
  readonly nodes: readonly Uint8Array[];
  readonly valueInfos: readonly Uint8Array[];
  readonly functions: readonly Uint8Array[];
}

/** Operators that take weights of fewer than 16 bits. */
const QUANTIZED =
  /^(?:.*Integer.*|DynamicQuantize.*|Q(?:Linear|Attention|Gemm|Embed).*|DequantizeLinear|MatMulNBits|MatMulBnb4)$/;

/** Whether the file's weights were quantised: its numbers are then not those of the checkpoint. */
export function isQuantized({ operators }: OnnxFile): boolean {
  return [...operators].some((operator) => QUANTIZED.test(operator));
}

/** Whether it holds matrices of signed 8-bit numbers: on an x64 CPU without VNNI their products saturate silently. */
export function hasSignedInt8({ initializers }: OnnxFile): boolean {
  return initializers.some(({ dataType, dims }) => dataType === DATA_TYPE.INT8 && dims.length >= 2);
}
