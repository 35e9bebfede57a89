import type { CompiledModel, GraphOutput } from '../../src/contracts/compiled-model.ts';
import type { ItemRows } from '../../src/contracts/scheduler.ts';
import { sparseVector } from '../../src/engine/sparse-vector.ts';
import { expectedOf, type GoldenCase } from './golden-cases.ts';

/** Outputs of a model for which a case has a reference. */
function comparedOutputs(compiled: CompiledModel, goldenCase: GoldenCase): readonly GraphOutput[] {
  return compiled.outputs.filter((output) => expectedOf(goldenCase, output, compiled.vocabularySize) !== undefined);
}

function dense({ output, row, ids }: { output: GraphOutput; row: Float32Array; ids: Int32Array }, size: number) {
  if (output.role !== 'sparse') return row;
  const vector = sparseVector(output, row, ids);
  const values = new Float32Array(size);
  for (const [index, id] of vector.ids.entries()) values[id] = vector.weights[index] ?? 0;
  return values;
}

/** All that one item gave and the reference has, in one row; sparse results as weights of the whole vocabulary. */
export function actualRow(compiled: CompiledModel, goldenCase: GoldenCase, rows: ItemRows, ids: Int32Array) {
  const parts = comparedOutputs(compiled, goldenCase).map((output) => {
    const row = rows[compiled.outputs.indexOf(output)] ?? new Float32Array();
    return dense({ output, row, ids }, compiled.vocabularySize);
  });
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** The same of the reference, a row for each item. Throws where it has nothing that the model gives. */
export function expectedRowsOf(compiled: CompiledModel, goldenCase: GoldenCase): readonly (readonly number[])[] {
  const outputs = comparedOutputs(compiled, goldenCase);
  if (outputs.length === 0) throw new Error(`case ${goldenCase.id} has no reference for any output`);
  const columns = outputs.map((output) => expectedOf(goldenCase, output, compiled.vocabularySize) ?? []);
  return goldenCase.token_ids.map((_, item) => columns.flatMap((column) => column[item] ?? []));
}
