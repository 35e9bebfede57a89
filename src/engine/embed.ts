import type { EmbedRequest, EmbedResult, RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { cutDimensions } from './cut-dimensions.ts';
import type { ModelSlot } from './model-slot.ts';
import { outputOf } from './output-of.ts';
import { requireModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';

/** One vector for each text. Rejects with the errors of `requireModel`, then `invalid_request` for `dimensions`. */
export async function embed(
  slots: readonly ModelSlot[],
  { model: name, texts, dimensions }: EmbedRequest,
  context: RequestContext,
): Promise<EmbedResult> {
  const model = requireModel(slots, name, 'embed');
  const width = readDimensions(dimensions, outputOf(model.compiled, 'embedding').output.width);
  const run = {
    role: 'embedding',
    texts,
    encode: (unique: readonly string[]) => model.tokenizer.encode(unique),
    context,
    param: 'input',
  } as const;
  const { results, tokens } = await runTexts(model, run, (row) => cutDimensions(row, width));
  return { model: model.servedName, vectors: results, tokens };
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
