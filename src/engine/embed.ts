import type { OutputRole } from '../contracts/compiled-model.ts';
import type {
  Capability,
  EmbeddingOutput,
  EmbedRequest,
  EmbedResult,
  RequestContext,
  SparseVector,
  TextInput,
} from '../contracts/engine.ts';
import type { ItemRows } from '../contracts/scheduler.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import type { Wanted } from './choose-model.ts';
import { choosePrompt } from './choose-prompt.ts';
import { encodeInputs } from './encode-inputs.ts';
import { outputOf } from './output-of.ts';
import { type DensePlan, planDense, refuseDenseOptions } from './plan-dense.ts';
import { calibrationVectors } from './quantization/calibration-vectors.ts';
import { embeddingRanges } from './quantization/embedding-ranges.ts';
import { needsRanges, quantizeVector } from './quantization/quantize-vector.ts';
import { type ChosenModel, type ServedModels, withModel } from './require-model.ts';
import { runTexts } from './run-texts.ts';
import { shapeVector } from './shape-vector.ts';
import { sparseVector } from './sparse-vector.ts';
import { untilAborted } from './until-aborted.ts';

const ROLES: Readonly<Record<EmbeddingOutput, OutputRole>> = {
  dense: 'embedding',
  sparse: 'sparse',
  colbert: 'colbert',
};

const CAPABILITIES: Readonly<Record<EmbeddingOutput, Capability>> = {
  dense: 'embed',
  sparse: 'sparse',
  colbert: 'colbert',
};

/**
 * The vectors of each text, of every kind that is asked for, in one run. Rejects as `withModel` does, then
 * with `invalid_request` for options that do not fit the model, both before any work.
 */
export function embed(models: ServedModels, request: EmbedRequest, context: RequestContext): Promise<EmbedResult> {
  const wanted = wantedOf(request.outputs);
  return withModel(models, request, { wanted, context }, (model) => embedWith(model, request, context));
}

async function embedWith(model: ChosenModel, request: EmbedRequest, context: RequestContext): Promise<EmbedResult> {
  const outputs = request.outputs ?? [model.compiled.tasks.includes('embed') ? 'dense' : 'colbert'];
  const plan = outputs.includes('dense') ? planDense(model, request) : undefined;
  if (plan === undefined) refuseDenseOptions(request);
  const { texts, truncation, param = 'input' } = request;
  const input = {
    tokenizer: model.tokenizer,
    vocabularySize: model.compiled.vocabularySize,
    prompt: choosePrompt(model.prompts, request.prompt, model.servedName),
    truncation,
    param,
  };
  const makeDense = plan === undefined ? () => [] : await untilAborted(denseMaker(model, plan), context.signal);
  const makeSparse = outputs.includes('sparse') ? sparseMaker(model) : () => undefined;
  const makeColbert = outputs.includes('colbert') ? colbertMaker(model) : () => undefined;

  const run = {
    texts,
    truncation,
    encode: (unique: readonly TextInput[]) => encodeInputs(unique, input),
    context,
    param,
    outputs: outputs.map((output) => outputOf(model.compiled, ROLES[output]).position),
  };
  const { results, tokens } = await runTexts(model, run, (rows, encoding) => ({
    dense: makeDense(rows),
    sparse: makeSparse(rows, encoding),
    colbert: makeColbert(rows),
  }));
  const sparse = results.flatMap((result) => result.sparse ?? []);
  return {
    model: model.servedName,
    dense: (plan?.dtypes ?? []).map((dtype, index) => ({
      dtype,
      vectors: results.flatMap(({ dense }) => dense[index] ?? []),
    })),
    sparse:
      request.tokenTexts === true ? await untilAborted(nameTokens(model.tokenizer, sparse), context.signal) : sparse,
    colbert: results.flatMap((result) => result.colbert ?? []),
    tokens,
  };
}

function wantedOf(outputs: readonly EmbeddingOutput[] | undefined): Wanted {
  return outputs === undefined ? [['embed'], ['colbert']] : [outputs.map((output) => CAPABILITIES[output])];
}

async function denseMaker(model: ChosenModel, { position, shape, dtypes }: DensePlan) {
  // Ranges are those of vectors of the same shape: a cut vector is normalised, so its numbers reach further.
  const samples = dtypes.some(needsRanges) ? await calibrationVectors(model) : [];
  const ranges = embeddingRanges(samples.map((sample) => shapeVector(sample, shape)));
  return (rows: ItemRows) => {
    const vector = shapeVector(rows[position] ?? new Float32Array(), shape);
    return dtypes.map((dtype) => quantizeVector(vector, dtype, ranges));
  };
}

function sparseMaker({ compiled }: ChosenModel) {
  const { output, position } = outputOf(compiled, 'sparse');
  return (rows: ItemRows, encoding: Encoding | undefined) =>
    sparseVector(output, rows[position] ?? new Float32Array(), encoding?.ids ?? new Int32Array());
}

function colbertMaker({ compiled }: ChosenModel) {
  const { output, position } = outputOf(compiled, 'colbert');
  return (rows: ItemRows) => ({ width: output.width, numbers: rows[position] ?? new Float32Array() });
}

async function nameTokens(tokenizer: Tokenizer, vectors: readonly SparseVector[]): Promise<readonly SparseVector[]> {
  const ids = Int32Array.from(new Set(vectors.flatMap((vector) => [...vector.ids])));
  const texts = await tokenizer.tokenTexts(ids);
  const nameOf = new Map(texts.map((text, index) => [ids[index], text]));
  return vectors.map((vector) => ({ ...vector, tokens: Array.from(vector.ids, (id) => nameOf.get(id) ?? String(id)) }));
}
