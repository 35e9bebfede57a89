import type { GraphOutput } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import type { RunText } from './run-text.ts';

/** What a model gave for one text: all numbers of each output, in the order of the model's outputs. */
export type TextOutputs = readonly Float32Array[];

/** Runs each text alone. */
export async function readOutputs(
  run: RunText,
  encodings: readonly Encoding[],
  outputs: readonly GraphOutput[],
): Promise<readonly TextOutputs[]> {
  const results: TextOutputs[] = [];
  for (const encoding of encodings) {
    const tensors = await run(encoding);
    results.push(
      outputs.map(({ name }) => {
        const data = tensors.find((tensor) => tensor.name === name)?.data;
        if (data instanceof Float32Array) return data;
        throw new ServiceError('compile_failed', `the graph gave no output '${name}' in the quality check`);
      }),
    );
  }
  return results;
}
