import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { DATA_TYPE } from '../../formats/onnx/data-types.ts';
import type { OnnxFile } from '../../formats/onnx/onnx-file.ts';
import type { TextModel } from '../architectures/architecture.ts';
import type { WantedTask } from '../build-graph.ts';
import { detectHeads } from '../detect-heads.ts';
import type { Head, Tensors } from '../heads/head.ts';
import { HEADS } from '../heads/registry.ts';
import { makeFileInputs } from './file-inputs.ts';
import { fileLimits } from './file-limits.ts';
import { fileOutput } from './file-output.ts';
import { pooledByTheFile } from './pooled-by-the-file.ts';

/** A ready-made graph in the place of a text model: what it gives takes the place of the last hidden state. */
export interface FileModel {
  readonly model: TextModel;
  readonly head: Head;
  /** Which of our values is which input or output of the file; filled when the graph is built. */
  readonly ties: ReadonlyMap<string, string>;
}

/** Stands for the matrix that gives the logits, among the tensors of a checkpoint. */
const LOGITS = 'file:logits';

/** A file that gives logits has the layer that makes them, wherever it keeps it. */
function withLogits(tensors: Tensors, { outputs }: OnnxFile): Tensors {
  const dims = outputs.find(({ name }) => name === 'logits')?.dims;
  const labels = dims?.at(-1);
  if (dims?.length !== 2) return tensors;
  return new Map([...tensors, [LOGITS, { dims: [typeof labels === 'number' ? labels : 0] }]]);
}

/**
 * What the model's files promise of the ONNX file. Any other head is made of weights that only the checkpoint and the files
 * beside it hold: a matrix over the vocabulary, the layers of BGE-M3 or ColBERT.
 */
function promiseOf(folder: ModelFolder, model: TextModel, tensors: Tensors, task: WantedTask) {
  const [first, ...others] = detectHeads(folder, model, tensors, task);
  if (others.length === 0 && first === 'pooledEmbedding') return 'embedding';
  if (others.length === 0 && first === 'sequenceClassification') return 'logits';
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': ONNX files are served as embedders and as sequence classifications, this one is neither`,
  );
}

export interface FileSource {
  readonly file: OnnxFile;
  readonly fileName: string;
  /** Of the modules: the file holds the others. */
  readonly tensors: Tensors;
  readonly task: WantedTask;
}

/** Throws `unsupported_architecture` or `invalid_model_folder` where the file does not give what the folder promises. */
export function fileModel(folder: ModelFolder, source: FileSource): FileModel {
  const { file, fileName, task } = source;
  const tensors = withLogits(source.tensors, file);
  const limits = fileLimits(folder);
  const ties = new Map<string, string>();
  const sizes = {
    vocabularySize: limits.vocabularySize,
    maxPositions: limits.maxPositions,
    tokenTypes: file.inputs.some(({ name }) => name === 'token_type_ids') ? 2 : 1,
    classifier: { anchor: LOGITS, wantedTokens: 'all', logits: (_g, _root, _body, logits) => logits },
  } satisfies Partial<TextModel>;
  const hidden: TextModel['hidden'] = () => {
    throw new Error('a model that only says what it is for has no graph');
  };
  const promise = promiseOf(folder, { ...sizes, hiddenSize: limits.hiddenSize ?? 0, hidden }, tensors, task);
  const output = fileOutput(file, promise, fileName);
  const width = output.kind === 'vector' ? limits.hiddenSize : (output.width ?? limits.hiddenSize);
  const model: TextModel = {
    ...sizes,
    hiddenSize: width ?? output.width ?? 0,
    hidden(g, _w, inputs) {
      for (const tie of makeFileInputs(g, inputs, file.inputs, fileName)) ties.set(...tie);
      const dims = output.kind === 'tokens' ? ['batch', 'sequence', width ?? 0] : ['batch', output.width ?? width ?? 0];
      const value = `file:${output.name}`;
      ties.set(value, output.name);
      return g.node('Cast', [{ name: value, dims }], { attributes: { to: { int: DATA_TYPE.FLOAT } } });
    },
  };
  const head =
    output.kind === 'vector'
      ? pooledByTheFile(folder, model, output, fileName)
      : HEADS[promise === 'logits' ? 'sequenceClassification' : 'pooledEmbedding'](folder, model, tensors);
  refuseOtherLabels(head, output.width, fileName);
  return { model, head, ties };
}

function refuseOtherLabels({ classification }: Head, width: number | undefined, fileName: string): void {
  const labels = classification?.labels.length;
  if (labels === undefined || width === undefined || labels === width) return;
  throw new ServiceError(
    'unsupported_architecture',
    `${fileName}: it gives ${width} logits, config.json names ${labels} labels`,
  );
}
