/** What the restricted pickle reader can make: plain data, names of classes, and tensors. */
export type PickleValue =
  | null
  | boolean
  | number
  | string
  | PickleList
  | PickleDict
  | PickleName
  | TorchStorage
  | TorchTensor;

/** A list or a tuple. */
export interface PickleList {
  readonly kind: 'list';
  readonly items: PickleValue[];
}

export interface PickleDict {
  readonly kind: 'dict';
  readonly entries: Map<PickleValue, PickleValue>;
}

/** A class or function, by its name only: nothing is ever looked up or called. */
export interface PickleName {
  readonly kind: 'name';
  readonly name: string;
}

/** A row of numbers that lies in an entry of the archive. */
export interface TorchStorage {
  readonly kind: 'storage';
  /** Storage type in safetensors spelling. */
  readonly dtype: string;
  readonly key: string;
  readonly elements: number;
}

/** A view of a storage. */
export interface TorchTensor {
  readonly kind: 'tensor';
  readonly storage: TorchStorage;
  /** In elements of the storage. */
  readonly offset: number;
  readonly dims: readonly number[];
  /** In elements, one for each dimension. */
  readonly strides: readonly number[];
}
