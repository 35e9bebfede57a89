import type { GraphInput } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import type { Encoding } from '../contracts/tokenizer.ts';

/** The input tensors of a run: int32 `[batch, sequence]` for each graph input. The encodings must be equally long. */
export function packRun(encodings: readonly Encoding[], inputs: readonly GraphInput[]): readonly Tensor[] {
  const sequence = encodings[0]?.ids.length ?? 0;
  const other = encodings.find(({ ids }) => ids.length !== sequence);
  if (other !== undefined) {
    throw new ServiceError(
      'internal_error',
      `A run holds sequences of one length: expected ${sequence} tokens, got ${other.ids.length}`,
    );
  }
  return inputs.map(({ name, role }) => {
    const data = new Int32Array(encodings.length * sequence);
    encodings.forEach(({ ids, typeIds }, row) => {
      data.set(role === 'input_ids' ? ids : typeIds, row * sequence);
    });
    return { name, dims: [encodings.length, sequence], data };
  });
}
