import type { CompiledModel, GraphOutput, OutputRole } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';

/** An output of a model, and its place among the rows of an item. Throws `internal_error` where the model has none. */
export function outputOf(
  { outputs }: Pick<CompiledModel, 'outputs'>,
  role: OutputRole,
): { readonly output: GraphOutput; readonly position: number } {
  const position = outputs.findIndex((output) => output.role === role);
  const output = outputs[position];
  if (output !== undefined) return { output, position };
  const roles = outputs.map((each) => `'${each.role}'`).join(', ');
  throw new ServiceError('internal_error', `The model has no output '${role}', only ${roles}`);
}
