/** Element types that graphs use, in ONNX's own spelling. */
export type ElementType = 'FLOAT' | 'UINT8' | 'INT8' | 'FLOAT16' | 'BFLOAT16' | 'INT32' | 'INT64';

/** A number, or the name of a size that is known only when the graph runs. */
export type Dimension = number | string;

export interface OnnxValueInfo {
  readonly name: string;
  readonly elementType: ElementType;
  readonly dims: readonly Dimension[];
}

/** ONNX tells whole numbers from floats by the attribute's type, JavaScript does not. */
export type OnnxAttribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] }
  | { readonly text: string };

export interface OnnxNode {
  readonly name: string;
  readonly operator: string;
  /** Empty for the standard operators. */
  readonly domain: '' | 'com.microsoft';
  /** An empty name leaves an optional input out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
}

/** Where a weight lies in a file beside the graph. */
export interface ExternalData {
  readonly fileName: string;
  readonly byteOffset: number;
  readonly byteLength: number;
}

export interface OnnxInitializer {
  readonly name: string;
  readonly elementType: ElementType;
  readonly dims: readonly number[];
  /** Little-endian bytes inside the graph, or their place in a file. */
  readonly data: Uint8Array | ExternalData;
}

export interface OnnxModel {
  readonly name: string;
  /** In an order in which every input is known before it is used. */
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxInitializer[];
  readonly inputs: readonly OnnxValueInfo[];
  readonly outputs: readonly OnnxValueInfo[];
}
