import { createHash } from 'node:crypto';
import { asCompileError } from '../../compiler/compile-error.ts';
import { writeGraph } from '../../compiler/graph/write-graph.ts';
import { type OpenedModel, openModel } from '../../compiler/open-model.ts';
import { linearProducts } from '../../compiler/quantization/linear-products.ts';
import type { CompileRequest } from '../../contracts/compile-job.ts';
import type { CompiledModel, TriedGraph } from '../../contracts/compiled-model.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { createTokenizer } from '../../tokenization/create-tokenizer.ts';
import { calibrate } from './calibrate.ts';
import type { Choice } from './choice.ts';
import { chooseFastest } from './choose-fastest.ts';
import { chooseInt8 } from './choose-int8.ts';
import { openTrials } from './open-trials.ts';

export interface QuantizedModel {
  readonly compiled: CompiledModel;
  /** The graphs that it was chosen from, besides float32. */
  readonly tried: readonly TriedGraph[];
}

/** Results of graphs that differ must never be taken for each other, whatever was asked for. */
function keyOfChoice(contentKey: string, graphName: string): string {
  return createHash('sha256').update(`${contentKey} ${graphName}`).digest('hex');
}

interface Chosen extends Choice {
  readonly tried: readonly TriedGraph[];
}

async function choose(model: OpenedModel, folder: ModelFolder, request: CompileRequest): Promise<Chosen> {
  const { description, graph } = model;
  const products = linearProducts(graph);
  if (products.length === 0) {
    return { kept: undefined, tried: [], warning: 'it has no linear layers to quantise: it is served in float32.' };
  }
  const { outputFolder, threads } = request;
  const options = { outputFolder, threads, modelName: description.architecture, inputs: description.inputs };
  const tokenizer = await createTokenizer(folder, description);
  const calibration = await calibrate(model, tokenizer, options);
  const choice = request.dtype === 'fastest' ? chooseFastest : chooseInt8;
  const trials = openTrials(model, calibration, options);
  const chosen = await choice({ graph, products, request, trials });
  return { ...chosen, tried: trials.tried() };
}

async function compile(model: OpenedModel, folder: ModelFolder, request: CompileRequest): Promise<QuantizedModel> {
  const { description, graph } = model;
  const { kept, warning, tried } = await choose(model, folder, request);
  const graphPath =
    kept === undefined
      ? await writeGraph(graph, description.architecture, request.outputFolder)
      : await kept.trial.keep();
  const compiled = {
    ...description,
    graphPath,
    contentKey: keyOfChoice(request.contentKey, kept?.name ?? 'float32'),
    precision: kept === undefined ? 'float32' : 'int8',
    ...(kept === undefined ? {} : { variant: kept.name, quality: kept.quality }),
    ...(warning === undefined ? {} : { warning }),
  } as const;
  return { compiled, tried };
}

/**
 * Compiles a model for `int8` or `fastest`: calibrates with the float32 graph, writes quantised ones, compares, keeps one.
 * Throws what compiling in float32 throws, and `compile_failed` where the quality is too low and that is to be refused.
 */
export async function compileQuantized(folder: ModelFolder, request: CompileRequest): Promise<QuantizedModel> {
  try {
    const model = await openModel(folder, request.task);
    try {
      return await compile(model, folder, request);
    } finally {
      await model.close();
    }
  } catch (error) {
    throw asCompileError(error, `model '${folder.id}' could not be compiled`);
  }
}
