import type { ElementType } from './onnx-model.ts';

/** Numbers of TensorProto.DataType: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto3 */
export const DATA_TYPE = {
  FLOAT: 1,
  UINT8: 2,
  INT8: 3,
  INT32: 6,
  INT64: 7,
  FLOAT16: 10,
  BFLOAT16: 16,
} satisfies Readonly<Record<ElementType, number>>;
