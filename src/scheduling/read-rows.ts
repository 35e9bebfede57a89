import type { GraphOutput } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import type { ItemRows } from '../contracts/scheduler.ts';

/** The shape of a run's inputs. */
export interface RunShape {
  readonly batch: number;
  readonly sequence: number;
}

/**
 * Splits a run's outputs into the rows of each item, which are views. A number that is not finite makes an error of its item
 * only. Throws `run_failed` when an output is missing or has another shape.
 */
export function readRows(
  tensors: readonly Tensor[],
  outputs: readonly GraphOutput[],
  shape: RunShape,
): readonly (ItemRows | ServiceError)[] {
  const columns = outputs.map((output) => rowsOf(tensors, output, shape));
  return Array.from({ length: shape.batch }, (_, index) => {
    const rows = columns.flatMap((column) => column[index] ?? []);
    const broken = rows.findIndex((row) => !row.every(Number.isFinite));
    if (broken === -1) return rows;
    return new ServiceError(
      'run_failed',
      `The model's '${outputs[broken]?.name}' holds numbers that are not finite for this input`,
    );
  });
}

function rowsOf(tensors: readonly Tensor[], output: GraphOutput, shape: RunShape): readonly Float32Array[] {
  const tensor = tensors.find(({ name }) => name === output.name);
  const expected = shapeOf(output, shape);
  const data = tensor?.data;
  const size = expected.slice(1).reduce((product, length) => product * length, 1);
  if (!(data instanceof Float32Array) || !hasShape(tensor?.dims, expected) || data.length !== shape.batch * size) {
    const actual = tensor === undefined ? `outputs [${tensors.map(({ name }) => name).join(', ')}]` : describe(tensor);
    throw new ServiceError(
      'run_failed',
      `The model gave an unexpected output: expected '${output.name}' as float32 [${expected.join(', ')}], got ${actual}`,
    );
  }
  return Array.from({ length: shape.batch }, (_, index) => data.subarray(index * size, (index + 1) * size));
}

function shapeOf({ per, width, firstToken }: GraphOutput, { batch, sequence }: RunShape): readonly number[] {
  return per === 'item' ? [batch, width] : [batch, sequence - firstToken, width];
}

function hasShape(dims: readonly number[] | undefined, expected: readonly number[]): boolean {
  return dims?.length === expected.length && dims.every((size, axis) => size === expected[axis]);
}

function describe({ data, dims }: Tensor): string {
  return `${data instanceof Float32Array ? 'float32' : 'int32'} [${dims.join(', ')}] with ${data.length} numbers`;
}
