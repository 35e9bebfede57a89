import type { CompileRequest, OnQualityLoss, PoolingMethod } from '../contracts/compile-job.ts';
import type {
  Classification,
  Compilation,
  CompiledModel,
  Dtype,
  GraphInput,
  GraphOutput,
  Precision,
  Quality,
  ScoreFunction,
  Task,
} from '../contracts/compiled-model.ts';
import type { SessionOptions } from '../contracts/inference-session.ts';
import type { PairPrompt } from '../contracts/pair-prompt.ts';
import type { StaticTokens } from '../contracts/static-tokens.ts';
import { allocateFrame, FRAME_HEADER_BYTES, type FrameKind } from './frame.ts';
import { type MessageFields, parseMessage } from './message-fields.ts';

// The messages that are not tensors: rare, so JSON. Each `read` throws `internal_error` when a field is not what it must be.

/** The payload of an `open` frame. */
export interface OpenRequest {
  readonly graphPath: string;
  readonly options: SessionOptions;
}

const TASKS: Readonly<Record<Task, true>> = { embed: true, rerank: true, classify: true, sparse: true, colbert: true };
const TASK_CHOICES: Readonly<Record<Task | 'auto', true>> = { auto: true, ...TASKS };
const PRECISIONS: Readonly<Record<Precision, true>> = { float32: true, float16: true, bfloat16: true, int8: true };
const DTYPES: Readonly<Record<Dtype, true>> = { ...PRECISIONS, fastest: true };
const ON_QUALITY_LOSS: Readonly<Record<OnQualityLoss, true>> = { 'fall-back': true, refuse: true, keep: true };
const POOLING_METHODS: Readonly<Record<PoolingMethod, true>> = { auto: true, mean: true, cls: true };
const ROLES: Readonly<Record<GraphInput['role'], true>> = { input_ids: true, token_type_ids: true };
const OUTPUT_ROLES: Readonly<Record<GraphOutput['role'], true>> = {
  embedding: true,
  logits: true,
  sparse: true,
  colbert: true,
};
const PER: Readonly<Record<GraphOutput['per'], true>> = { item: true, token: true };
const SCORE_FUNCTIONS: Readonly<Record<ScoreFunction, true>> = { softmax: true, sigmoid: true, none: true };

/** A frame whose payload is `message` as JSON. */
export function encodeControlFrame(kind: FrameKind, id: number, message: object): Buffer {
  const json = JSON.stringify(message);
  const frame = allocateFrame(kind, id, Buffer.byteLength(json, 'utf8'));
  frame.write(json, FRAME_HEADER_BYTES, 'utf8');
  return frame;
}

export function encodeOpenRequest(id: number, { graphPath, options }: OpenRequest): Buffer {
  return encodeControlFrame('open', id, { graphPath, ...options });
}

export function readOpenRequest(payload: Uint8Array): OpenRequest {
  const fields = parseMessage('open', payload);
  const wideInt8 = fields.optionalFlag('wideInt8');
  const options = { threads: fields.integer('threads', 1), ...(wideInt8 === undefined ? {} : { wideInt8 }) };
  return { graphPath: fields.string('graphPath'), options };
}

export function readCompileRequest(payload: Uint8Array): CompileRequest {
  const fields = parseMessage('compile', payload);
  const onnxFile = fields.optionalString('onnxFile');
  return {
    modelId: fields.string('modelId'),
    modelPath: fields.string('modelPath'),
    ...(onnxFile === undefined ? {} : { onnxFile }),
    pooling: fields.oneOf('pooling', POOLING_METHODS),
    dtype: fields.oneOf('dtype', DTYPES),
    onQualityLoss: fields.oneOf('onQualityLoss', ON_QUALITY_LOSS),
    architecture: fields.string('architecture'),
    cpuAbilities: fields.strings('cpuAbilities'),
    threads: fields.integer('threads', 1),
    task: fields.oneOf('task', TASK_CHOICES),
    outputFolder: fields.string('outputFolder'),
    contentKey: fields.string('contentKey'),
  };
}

function readOutput(output: MessageFields): GraphOutput {
  return {
    name: output.string('name'),
    role: output.oneOf('role', OUTPUT_ROLES),
    per: output.oneOf('per', PER),
    width: output.integer('width', 1),
    firstToken: output.integer('firstToken', 0),
    ignoredIds: output.integers('ignoredIds', 0),
  };
}

function readClassification(fields: MessageFields): Classification {
  return { labels: fields.strings('labels'), scoreFunction: fields.oneOf('scoreFunction', SCORE_FUNCTIONS) };
}

function readPairPrompt(fields: MessageFields): PairPrompt {
  return {
    prefix: fields.string('prefix'),
    suffix: fields.string('suffix'),
    pieces: fields.objects('pieces').map((piece) => {
      const maxShare = piece.optionalNumber('maxShare');
      return { template: piece.string('template'), ...(maxShare === undefined ? {} : { maxShare }) };
    }),
  };
}

function readQuality(fields: MessageFields): Quality {
  const [leastCosine, medianCosine] = [fields.optionalNumber('leastCosine'), fields.optionalNumber('medianCosine')];
  const greatestScoreDifference = fields.optionalNumber('greatestScoreDifference');
  return {
    texts: fields.integer('texts', 0),
    ...(leastCosine === undefined ? {} : { leastCosine }),
    ...(medianCosine === undefined ? {} : { medianCosine }),
    ...(greatestScoreDifference === undefined ? {} : { greatestScoreDifference }),
  };
}

function readCompilation(fields: MessageFields): Compilation {
  const peakBytes = fields.optionalNumber('peakBytes');
  return {
    milliseconds: fields.number('milliseconds'),
    ...(peakBytes === undefined ? {} : { peakBytes }),
    tried: fields.objects('tried').map((graph) => {
      const speed = graph.optionalNumber('speed');
      return {
        variant: graph.string('variant'),
        quality: readQuality(graph.object('quality')),
        ...(speed === undefined ? {} : { speed }),
      };
    }),
  };
}

function readStaticTokens(fields: MessageFields): StaticTokens {
  const maxTokens = fields.optionalNumber('model2vecMaxTokens');
  return {
    tokenizerFile: fields.string('tokenizerFile'),
    emptyTextId: fields.integer('emptyTextId', 0),
    ...(maxTokens === undefined ? {} : { model2vecMaxTokens: maxTokens }),
  };
}

export function readCompiledModel(payload: Uint8Array): CompiledModel {
  const fields = parseMessage('compiled', payload);
  const classification = fields.optionalObject('classification');
  const pairPrompt = fields.optionalObject('pairPrompt');
  const staticTokens = fields.optionalObject('staticTokens');
  const wideInt8 = fields.optionalFlag('wideInt8');
  const variant = fields.optionalString('variant');
  const quality = fields.optionalObject('quality');
  const warning = fields.optionalString('warning');
  const compilation = fields.optionalObject('compilation');
  return {
    graphPath: fields.string('graphPath'),
    contentKey: fields.string('contentKey'),
    tasks: fields.listOf('tasks', TASKS),
    precision: fields.oneOf('precision', PRECISIONS),
    ...(variant === undefined ? {} : { variant }),
    ...(quality === undefined ? {} : { quality: readQuality(quality) }),
    ...(warning === undefined ? {} : { warning }),
    architecture: fields.string('architecture'),
    inputs: fields.objects('inputs').map((input) => ({ name: input.string('name'), role: input.oneOf('role', ROLES) })),
    outputs: fields.objects('outputs').map(readOutput),
    ...(classification === undefined ? {} : { classification: readClassification(classification) }),
    ...(pairPrompt === undefined ? {} : { pairPrompt: readPairPrompt(pairPrompt) }),
    ...(staticTokens === undefined ? {} : { staticTokens: readStaticTokens(staticTokens) }),
    vocabularySize: fields.integer('vocabularySize', 1),
    maxPositions: fields.integer('maxPositions', 1),
    ...(wideInt8 === undefined ? {} : { wideInt8 }),
    ...(compilation === undefined ? {} : { compilation: readCompilation(compilation) }),
    unreadTensors: fields.strings('unreadTensors'),
  };
}
