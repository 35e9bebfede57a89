import type { EmbeddingDtype, EmbedRequest } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { outputOf } from './output-of.ts';
import type { ChosenModel } from './require-model.ts';
import type { VectorShape } from './shape-vector.ts';

export interface DensePlan {
  /** Of the vector among an item's rows. */
  readonly position: number;
  readonly shape: VectorShape;
  readonly dtypes: readonly EmbeddingDtype[];
}

/** What becomes of pooled vectors. Throws `invalid_request` for dimensions that the model cannot give. */
export function planDense(model: ChosenModel, { dimensions, normalize, dtypes }: EmbedRequest): DensePlan {
  const { output, position } = outputOf(model.compiled, 'embedding');
  return {
    position,
    shape: { dimensions: readDimensions(dimensions, output.width), normalize },
    dtypes: dtypes ?? [model.embeddingDtype],
  };
}

/** A vector for each token is neither cut nor quantised: there are no ranges for it, and no model is trained for a cut. */
export function refuseDenseOptions({ dimensions, normalize, dtypes }: EmbedRequest): void {
  const isSet = {
    dimensions: dimensions !== undefined && dimensions !== 0,
    normalize: normalize === false,
    embedding_dtype: dtypes?.some((dtype) => dtype !== 'float32') ?? false,
  };
  for (const [param, set] of Object.entries(isSet)) {
    if (!set) continue;
    const message = `${param}: expected none, since this model gives a vector for each token, got one`;
    throw new ServiceError('invalid_request', message, { param });
  }
}

/** `undefined` and 0 ask for all dimensions. */
function readDimensions(dimensions: number | undefined, width: number): number {
  if (dimensions === undefined || dimensions === 0) return width;
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= width) return dimensions;
  throw new ServiceError(
    'invalid_request',
    `matryoshka_dim=${dimensions} is not in a valid range. Select between 1 and ${width}.`,
    { param: 'dimensions' },
  );
}
