import { ServiceError } from '../contracts/errors.ts';

/**
 * Throws `invalid_request` on the first id outside `0 <= id < vocabularySize`. The embedding table has no other rows, and
 * ONNX Runtime reads a negative id from the end of the table without a word.
 */
export function checkTokenIds(ids: ArrayLike<number>, vocabularySize: number, param?: string): void {
  for (let position = 0; position < ids.length; position += 1) {
    const id = ids[position];
    if (id === undefined || !Number.isInteger(id) || id < 0 || id >= vocabularySize) {
      throw new ServiceError(
        'invalid_request',
        `Token id ${id} at position ${position} is outside the model's vocabulary: expected an integer from 0 to ${vocabularySize - 1}`,
        param === undefined ? {} : { param },
      );
    }
  }
}
