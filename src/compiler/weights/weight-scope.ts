import { ServiceError } from '../../contracts/errors.ts';
import type { CheckpointTensor } from '../../formats/checkpoint.ts';
import { FLOAT_DTYPES } from '../../formats/safetensors/dtypes.ts';
import type { Weight } from './weight.ts';

function shape(dims: readonly number[]): string {
  return `[${dims.join(', ')}]`;
}

/**
 * A checkpoint seen from one place in its tree of names. Every tensor is checked for its shape and type where it is
 * read, and the scope knows which were never read. All scopes of a checkpoint share that knowledge.
 */
export class WeightScope {
  readonly #tensors: ReadonlyMap<string, CheckpointTensor>;
  readonly #read: Set<string>;
  readonly #prefix: string;

  constructor(tensors: ReadonlyMap<string, CheckpointTensor>, prefix = '', read: Set<string> = new Set()) {
    this.#tensors = tensors;
    this.#prefix = prefix;
    this.#read = read;
  }

  /** The scope below: `at('encoder.layer.0')` reads `encoder.layer.0.…` */
  at(path: string): WeightScope {
    return new WeightScope(this.#tensors, `${this.#prefix}${path}.`, this.#read);
  }

  /**
   * The scope in which `anchor` is a tensor: checkpoints of one family differ in what stands before its names
   * (nothing, `bert.`, `model.`, …). Throws `invalid_checkpoint` when there is no such scope, or more than one.
   */
  rootedAt(anchor: string): WeightScope {
    const prefixes = [...this.#tensors.keys()]
      .filter((name) => name === anchor || name.endsWith(`.${anchor}`))
      .map((name) => name.slice(0, name.length - anchor.length));
    const [prefix] = prefixes;
    if (prefix === undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `the checkpoint has no tensor '${anchor}', with or without a prefix; it has ${this.#tensors.size} tensors`,
      );
    }
    if (prefixes.length > 1) {
      const found = prefixes.map((each) => `'${each}${anchor}'`).join(', ');
      throw new ServiceError(
        'invalid_checkpoint',
        `the checkpoint holds more than one model: expected one of ${found}`,
      );
    }
    return new WeightScope(this.#tensors, prefix, this.#read);
  }

  has(name: string): boolean {
    return this.#tensors.has(this.#prefix + name);
  }

  /** Throws `invalid_checkpoint` when the tensor is missing, has another shape, or holds no float numbers. */
  read(name: string, dims: readonly number[]): Weight {
    const fullName = this.#prefix + name;
    const tensor = this.#tensors.get(fullName);
    if (tensor === undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `the checkpoint has no tensor '${fullName}', expected ${shape(dims)}`,
      );
    }
    const label = `${tensor.fileName}: tensor '${fullName}'`;
    if (tensor.dims.length !== dims.length || tensor.dims.some((size, axis) => size !== dims[axis])) {
      throw new ServiceError('invalid_checkpoint', `${label} has shape ${shape(tensor.dims)}, expected ${shape(dims)}`);
    }
    if (!FLOAT_DTYPES.includes(tensor.dtype)) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${label} has dtype ${tensor.dtype}, expected one of ${FLOAT_DTYPES.join(', ')}`,
      );
    }
    this.#read.add(fullName);
    return tensor;
  }

  /** Counts a tensor as read whose numbers say nothing new, such as a saved table of positions. */
  ignore(name: string): void {
    if (this.has(name)) this.#read.add(this.#prefix + name);
  }

  /** Full names of the tensors that nothing read, in the whole checkpoint. */
  unread(): readonly string[] {
    return [...this.#tensors.keys()].filter((name) => !this.#read.has(name));
  }
}
