import { ServiceError } from '../../contracts/errors.ts';
import type { OnnxAttribute, OnnxNode, OnnxValueInfo } from '../../formats/onnx/onnx-model.ts';
import type { Weight } from '../weights/weight.ts';
import {
  type Dimension,
  type ElementType,
  type Graph,
  type GraphConstant,
  integerConstant,
  type Value,
} from './graph.ts';

export interface NodeOptions {
  /** Shape of the result; the first input's where none is given. */
  readonly dims?: readonly Dimension[];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
  readonly domain?: OnnxNode['domain'];
}

/** Collects the nodes and constants of a graph in the order in which they are asked for. */
export class GraphBuilder {
  readonly #inputs: OnnxValueInfo[] = [];
  readonly #nodes: OnnxNode[] = [];
  readonly #constants = new Map<string, GraphConstant>();
  readonly #outputs: OnnxValueInfo[] = [];

  input(name: string, elementType: ElementType, dims: readonly Dimension[]): Value {
    this.#inputs.push({ name, elementType, dims });
    return { name, dims };
  }

  /** An input that is already there: for a head that looks at the ids once more. */
  inputNamed(name: string): Value {
    const input = this.#inputs.find((each) => each.name === name);
    if (input !== undefined) return { name, dims: input.dims };
    throw new ServiceError('compile_failed', `the graph has no input '${name}'`);
  }

  /** Adds a weight once, however often a shared layer asks for it. */
  constant(weight: Weight): Value {
    if (!this.#constants.has(weight.name)) this.#constants.set(weight.name, weight);
    return { name: weight.name, dims: weight.dims };
  }

  /** A list of whole numbers, int64 `[values.length]`. */
  integers(values: readonly number[]): Value {
    const constant = integerConstant(values);
    this.#constants.set(constant.name, constant);
    return { name: constant.name, dims: constant.dims };
  }

  /** Adds an operator with one result. `undefined` leaves an optional input out. */
  node(operator: string, inputs: readonly (Value | undefined)[], options: NodeOptions = {}): Value {
    const value = { name: this.#nextName(operator), dims: options.dims ?? inputs[0]?.dims ?? [] };
    this.#add(operator, inputs, [value], options);
    return value;
  }

  /** Adds an operator with two results, of the shapes given. */
  nodeOfTwo(
    operator: string,
    inputs: readonly (Value | undefined)[],
    [first, second]: readonly [readonly Dimension[], readonly Dimension[]],
    options: Omit<NodeOptions, 'dims'> = {},
  ): readonly [Value, Value] {
    const name = this.#nextName(operator);
    const values = [
      { name, dims: first },
      { name: `${name}_second`, dims: second },
    ] as const;
    this.#add(operator, inputs, values, options);
    return values;
  }

  #nextName(operator: string): string {
    return `${operator}_${this.#nodes.length}`;
  }

  #add(
    operator: string,
    inputs: readonly (Value | undefined)[],
    outputs: readonly Value[],
    { domain = '', attributes = {} }: NodeOptions,
  ): void {
    this.#nodes.push({
      name: this.#nextName(operator),
      operator,
      domain,
      inputs: inputs.map((input) => input?.name ?? ''),
      outputs: outputs.map((output) => output.name),
      attributes,
    });
  }

  /** Makes a value a result of the graph, under a name of its own. */
  output(name: string, value: Value): void {
    this.#nodes.push({
      name,
      operator: 'Identity',
      domain: '',
      inputs: [value.name],
      outputs: [name],
      attributes: {},
    });
    this.#outputs.push({ name, elementType: 'FLOAT', dims: value.dims });
  }

  build(): Graph {
    return {
      inputs: this.#inputs,
      nodes: this.#nodes,
      constants: [...this.#constants.values()],
      outputs: this.#outputs,
    };
  }
}

/** The last dimension of a value, which layers need as a number. */
export function widthOf(value: Value): number {
  const width = value.dims.at(-1);
  if (typeof width === 'number') return width;
  throw new ServiceError(
    'compile_failed',
    `value '${value.name}' has shape [${value.dims.join(', ')}], expected a known last dimension`,
  );
}
