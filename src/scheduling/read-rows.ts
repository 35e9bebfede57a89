import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';

/**
 * Splits a run's output into one row for each item, views of `[outputWidth]`. A row with a number that is not finite
 * becomes an error, for its item only. Throws `run_failed` when the output is missing or has another shape.
 */
export function readRows(
  outputs: readonly Tensor[],
  { outputName, outputWidth }: Pick<CompiledModel, 'outputName' | 'outputWidth'>,
  batch: number,
): readonly (Float32Array | ServiceError)[] {
  const output = outputs.find(({ name }) => name === outputName);
  const data = output?.data;
  if (
    !(data instanceof Float32Array) ||
    !hasShape(output?.dims, batch, outputWidth) ||
    data.length !== batch * outputWidth
  ) {
    const actual = output === undefined ? `outputs [${outputs.map(({ name }) => name).join(', ')}]` : describe(output);
    throw new ServiceError(
      'run_failed',
      `The model gave an unexpected output: expected '${outputName}' as float32 [${batch}, ${outputWidth}], got ${actual}`,
    );
  }
  return Array.from({ length: batch }, (_, index) => {
    const row = data.subarray(index * outputWidth, (index + 1) * outputWidth);
    if (row.every(Number.isFinite)) return row;
    return new ServiceError(
      'run_failed',
      `The model's '${outputName}' holds numbers that are not finite for this input`,
    );
  });
}

function hasShape(dims: readonly number[] | undefined, batch: number, width: number): boolean {
  return dims?.length === 2 && dims[0] === batch && dims[1] === width;
}

function describe({ data, dims }: Tensor): string {
  return `${data instanceof Float32Array ? 'float32' : 'int32'} [${dims.join(', ')}] with ${data.length} numbers`;
}
